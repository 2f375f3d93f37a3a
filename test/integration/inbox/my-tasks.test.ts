import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../../protocol/task.ts';
import { askingTask } from '../../support/asking-task.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { openKeys } from '../../support/task-bench.ts';
import { formOf, wordsOf, type InboxVisitor } from '../../support/inbox-visitor.ts';

let inbox: InboxBench;
let visitor: InboxVisitor;
beforeAll(async () => {
  inbox = await openInboxBench();
  await inbox.bench.startWorker();
  visitor = await inbox.visitor('clerk-1');
});

function get(taskId: string): Promise<DetailedTask> {
  return inbox.bench.store.get(inbox.callerNamed('clerk-1'), taskId);
}

function ask(): Promise<string> {
  return askingTask(inbox.bench.store, inbox.callerNamed('clerk-1'));
}

const RIGHT = {
  'field.name': 'Chair',
  'field.count': '4',
  'field.gift': 'on',
  'field.size': 'l',
  'field.colours.0': 'on',
  'field.colours.2': 'on',
  action: 'accept',
};

describe('my tasks', () => {
  it('lists what the visitor has asked for, what asks them first, and nobody else', async () => {
    const taskId = await ask();
    const listed = await eventually(async () => {
      const page = await visitor.get('/inbox/tasks');
      return page.text.includes(taskId) && page.text.includes('Questions to me') && page;
    });
    expect(wordsOf(listed)).toMatch(
      new RegExp(`Questions to me .* ask ${taskId} asks you Waiting for your answer: What shall`),
    );
    const other = await inbox.visitor('finance-1');
    expect((await other.get('/inbox/tasks')).text).not.toContain(taskId);
    const [foreign, unknown] = [await other.get(`/inbox/tasks/${taskId}`), await other.get('/inbox/tasks/unknown')];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    const { csrf } = formOf(await other.get('/inbox/tasks'), '/sign-in/end').fields;
    expect((await other.post(`/inbox/tasks/${taskId}/cancel`, { csrf: csrf! })).status).toBe(404);
    expect((await get(taskId)).status).toBe('input_required');
  });
});

describe('a question', () => {
  it('is a form of its schema, and its answer is what a client would send', async () => {
    const taskId = await ask();
    const page = await visitor.get(`/inbox/tasks/${taskId}`);
    for (const part of [
      'What shall it be?',
      '<input type="number" step="1" min="1"',
      '<input type="checkbox" name="field.gift"',
      '<option value="l">Large</option>',
      '<legend>Colours</legend>',
    ]) {
      expect(page.text.replace(/\s+/g, ' ').replaceAll(' >', '>')).toContain(part);
    }
    const answered = await visitor.submit(page, '/answer', RIGHT);
    expect(answered.address).toBe(`/inbox/tasks/${taskId}`);
    await eventually(async () => (await get(taskId)).status === 'completed');
    const done = await get(taskId);
    expect(done.status === 'completed' && done.result.structuredContent).toEqual({
      reply: JSON.stringify({
        action: 'accept',
        content: { name: 'Chair', count: 4, gift: true, size: 'l', colours: ['red', 'blue'] },
      }),
    });
    const after = await visitor.get(`/inbox/tasks/${taskId}`);
    expect(wordsOf(after)).toMatch(/done .* What came of it accept/);
    expect(after.text).not.toContain('/cancel"');
  });

  it.each([
    ['name must have at least 2 characters', { 'field.name': 'C' }],
    ['count must be a whole number', { 'field.count': '4.5' }],
    ['count must be a whole number', { 'field.count': 'four' }],
    ['count is missing', { 'field.count': '' }],
    ['size must be one of s, l', { 'field.size': 'xl' }],
  ])('whose answer does not fit stays open: %s', async (problem, wrong) => {
    const taskId = await ask();
    const page = await visitor.get(`/inbox/tasks/${taskId}`);
    const refused = await visitor.submit(page, '/answer', { ...RIGHT, ...wrong });
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining(problem)]);
    expect(formOf(refused, '/answer').fields['key']).toBe(formOf(page, '/answer').fields['key']);
  });

  it('may be declined, and is closed then', async () => {
    const taskId = await ask();
    const page = await visitor.get(`/inbox/tasks/${taskId}`);
    await visitor.submit(page, '/answer', { action: 'decline' });
    await eventually(async () => (await get(taskId)).status === 'completed');
    const late = await visitor.submit(page, '/answer', RIGHT);
    expect([late.status, wordsOf(late)]).toEqual([422, expect.stringContaining('not open any more')]);
  });
});

describe('what came of it', () => {
  it('is told to the audit when its page shows it: not before, not by HEAD, and of nobody to whom it reads as unknown', async () => {
    const taskId = await ask();
    const told = () => inbox.acts.filter((act) => act.taskId === taskId);
    // Not by its page: that shows what came of it, once the answer has been sent.
    const [key = ''] = openKeys(await get(taskId));
    await inbox.bench.store.deliver(inbox.callerNamed('clerk-1'), taskId, { [key]: { action: 'decline' } });
    await eventually(async () => (await get(taskId)).status === 'completed');
    expect((await visitor.once(`/inbox/tasks/${taskId}`, { method: 'HEAD' })).status).toBe(200);
    expect((await (await inbox.visitor('finance-1')).get(`/inbox/tasks/${taskId}`)).status).toBe(404);
    expect(told()).toEqual([]);
    await visitor.get(`/inbox/tasks/${taskId}`);
    const { principal } = inbox.callerNamed('clerk-1');
    expect(told()).toEqual([
      {
        taskId,
        type: 'result_read',
        about: principal,
        by: 'Clerk 1',
        at: expect.any(Number),
        data: { principal, in: 'inbox' },
      },
    ]);
  });
});

describe('a task', () => {
  it('is cancelled by a form, and by no link', async () => {
    const taskId = await ask();
    expect((await visitor.get(`/inbox/tasks/${taskId}/cancel`)).status).toBe(404);
    await visitor.submit(await visitor.get(`/inbox/tasks/${taskId}`), '/cancel');
    await eventually(async () => (await get(taskId)).status === 'cancelled');
  });

  it('gives its caller its files, and none of the server', async () => {
    const taskId = await ask();
    const owner = { caller: inbox.callerNamed('clerk-1').principal, taskId };
    for (const name of ['order.pdf', '_result.json']) {
      await inbox.bench.blobs.put(owner, { name, mimeType: 'application/pdf', bytes: Buffer.from('%PDF-') });
    }
    const file = await visitor.get(`/inbox/tasks/${taskId}/files/order.pdf`);
    expect([file.status, file.text, file.headers.get('content-disposition')]).toEqual([
      200,
      '%PDF-',
      "attachment; filename*=UTF-8''order.pdf",
    ]);
    expect((await visitor.get(`/inbox/tasks/${taskId}/files/_result.json`)).status).toBe(404);
    expect((await (await inbox.visitor('finance-1')).get(`/inbox/tasks/${taskId}/files/order.pdf`)).status).toBe(404);
  });
});
