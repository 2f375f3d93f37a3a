import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../protocol/task.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { formOf, InboxVisitor, wordsOf } from '../../support/inbox-visitor.ts';

let inbox: InboxBench;
beforeAll(async () => {
  inbox = await openInboxBench();
  await inbox.bench.startWorker();
});

const OPTIONS = [
  { value: 'too_expensive', title: 'Too expensive' },
  { value: 'not_needed', title: 'Not needed' },
];

async function resultOf(taskId: string, requester = 'purchasing-1'): Promise<unknown> {
  return eventually(async () => {
    const task = await inbox.bench.store.get(inbox.callerNamed(requester), taskId);
    return task.status === 'completed' && (task.result.structuredContent as JsonObject);
  });
}

describe('a decision', () => {
  it('approves when two different people have', async () => {
    const { id, taskId } = await inbox.open({ quorum: 2 });
    const [one, two] = [await inbox.visitor('finance-1'), await inbox.visitor('finance-2')];
    const first = await one.submit(await one.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
    expect(wordsOf(first)).toContain('Your decision counts 1 of 2. It waits for others.');
    expect(wordsOf(await one.get(`/inbox/approvals/${id}`))).toContain('You have decided. It waits for others.');
    expect((await one.get('/inbox')).text).not.toContain(id);
    const second = await two.submit(await two.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
    expect(wordsOf(second)).toMatch(/Your decision counts 2 of 2. Approved by Finance 1 and Finance 2 at/);
    // Loading the page again sends nothing and says the same.
    expect((await two.get(second.address)).text).toBe(second.text);
    expect(await resultOf(taskId)).toEqual({ result: 'approved', by: ['Finance 1', 'Finance 2'] });
  });

  it('rejects with one of the named ways and a reason, and asks for changes', async () => {
    const finance = await inbox.visitor('finance-1');
    const rejected = await inbox.open({ options: OPTIONS });
    const page = await finance.get(`/inbox/approvals/${rejected.id}`);
    const bare = await finance.submit(page, '/decide', { reason: 'No.' }, { choice: 'reject' });
    expect(wordsOf(bare)).toContain('gives a reason and chooses one of the ways that are named');
    const counted = await finance.submit(
      page,
      '/decide',
      { reason: ' Too\r\nmuch ', option: 'too_expensive' },
      { choice: 'reject' },
    );
    expect(wordsOf(counted)).toContain('Rejected by Finance 1 at');
    expect(await resultOf(rejected.taskId)).toMatchObject({ reason: 'Too\nmuch', option: 'too_expensive' });

    const changed = await inbox.open();
    const asked = { reason: 'Fewer chairs' };
    await finance.submit(await finance.get(`/inbox/approvals/${changed.id}`), '/decide', asked, {
      choice: 'request_changes',
    });
    expect(await resultOf(changed.taskId)).toMatchObject({ result: 'changes_requested', reason: 'Fewer chairs' });
  });

  it('that comes late learns by whom and when it was decided', async () => {
    const { id, taskId } = await inbox.open();
    const [one, two] = [await inbox.visitor('finance-1'), await inbox.visitor('finance-2')];
    const late = await two.get(`/inbox/approvals/${id}`);
    await one.submit(await one.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
    await resultOf(taskId);
    expect(wordsOf(await two.submit(late, '/decide', {}, { choice: 'approve' }))).toMatch(
      /Your decision does not count It is decided already. Approved by Finance 1 at \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
  });

  it('sent twice from one page counts once', async () => {
    const { id, found } = await inbox.open({ quorum: 2 });
    const finance = await inbox.visitor('finance-1');
    const page = await finance.get(`/inbox/approvals/${id}`);
    const answers = await Promise.all([1, 2, 3].map(() => finance.submit(page, '/decide', {}, { choice: 'approve' })));
    expect(answers.map(wordsOf).filter((words) => words.includes('1 of 2. It waits for others.'))).toHaveLength(3);
    expect((await inbox.desk.read(found.workflowId))?.open[0]?.votes).toHaveLength(1);
  });

  it('of somebody whose role was taken away meanwhile reads as not found', async () => {
    const { id, found } = await inbox.open();
    const finance = await inbox.visitor('finance-2');
    const page = await finance.get(`/inbox/approvals/${id}`);
    const before = inbox.approvers;
    inbox.approvers = before.filter(({ subject }) => subject !== 'finance-2');
    try {
      const late = await finance.submit(page, '/decide', {}, { choice: 'approve' });
      expect([late.status, wordsOf(late)]).toEqual([404, expect.stringContaining('nothing here for you to decide')]);
    } finally {
      inbox.approvers = before;
    }
    expect((await inbox.desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
  });

  it('that no page of ours could have sent is refused', async () => {
    const { id } = await inbox.open();
    const finance = await inbox.visitor('finance-1');
    const { action, fields } = formOf(await finance.get(`/inbox/approvals/${id}`), '/decide');
    expect((await finance.post(action, { ...fields, choice: 'maybe' })).status).toBe(422);
    expect((await finance.post(action, { ...fields, reason: 'x'.repeat(2_001) })).status).toBe(422);
    expect((await finance.post(action, { ...fields, ticket: 'x' })).status).toBe(400);
    expect((await finance.post(action.replace(id, 'another'), fields)).status).toBe(400);
    const twice = `${new URLSearchParams(fields).toString()}&choice=reject`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: inbox.origin };
    expect((await finance.once(action, { method: 'POST', body: twice, headers })).status).toBe(400);
  });

  it('is never taken by GET or HEAD, nor without the token of the session, nor from another origin', async () => {
    const { id, found } = await inbox.open();
    const finance = await inbox.visitor('finance-1');
    const { action, fields } = formOf(await finance.get(`/inbox/approvals/${id}`), '/decide', { choice: 'approve' });
    const query = `${action}?${new URLSearchParams(fields).toString()}`;
    expect((await finance.get(query)).status).toBe(404);
    expect((await finance.once(query, { method: 'HEAD' })).status).toBe(404);
    const body = new URLSearchParams(fields);
    const post = (more: RequestInit): Promise<Response> => finance.once(action, { method: 'POST', body, ...more });
    expect((await post({ headers: { origin: 'http://localhost:1' } })).status).toBe(403);
    expect((await post({ headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await post({ headers: { origin: 'null' } })).status).toBe(403);
    expect((await post({ body: new URLSearchParams({ ...fields, csrf: 'x' }) })).status).toBe(403);
    expect((await post({ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } })).status).toBe(
      415,
    );
    expect((await post({ body: new URLSearchParams({ ...fields, reason: 'x'.repeat(70_000) }) })).status).toBe(413);
    const stranger = new InboxVisitor(inbox.origin);
    expect((await stranger.once(action, { method: 'POST', body })).headers.get('location')).toMatch(
      /^\/inbox\/sign-in/,
    );
    expect((await inbox.desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
  });
});
