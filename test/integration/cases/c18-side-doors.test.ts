/** Case C18: side doors to an approval. There is one gate, in the workflow; each other way in is tried against it. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../protocol/task.ts';
import { taskInputSignal } from '../../../workflows/contract.ts';
import type { ApprovalCase } from '../../../server/approvals/approval-desk.ts';
import { decisionOn, person } from '../../support/approver.ts';
import { startBenchFront } from '../../support/bench-front.ts';
import { signed } from '../../support/decisions.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { formOf, InboxVisitor, wordsOf } from '../../support/inbox-visitor.ts';
import { post } from '../../support/mcp-request.ts';
import { openGate } from '../../../server/auth/gate.ts';
import { catalog } from '../inbox/inbox-tools.ts';

/** Who asks holds the role that decides: the worst case. */
const REQUESTER = 'finance-1';

let inbox: InboxBench;
let opened: { id: string; taskId: string; found: ApprovalCase };

beforeAll(async () => {
  inbox = await openInboxBench();
  await inbox.bench.startWorker();
});
beforeEach(async () => {
  opened = await inbox.open({ title: 'Order 4 chairs' }, REQUESTER);
});

async function expectUndecided(): Promise<void> {
  const found = await inbox.desk.read(opened.found.workflowId);
  expect(found?.open.map(({ id, votes }) => [id, votes])).toEqual([[opened.id, []]]);
  expect((await inbox.bench.store.get(inbox.callerNamed(REQUESTER), opened.taskId)).status).toBe('working');
}

describe('an approval is not taken', () => {
  it.each([
    ['for an answer', { action: 'accept', content: { approve: true } }],
    ['for who its content says has approved', { action: 'accept', content: { approved_by: 'cfo@example.test' } }],
  ])('by tasks/update of the requester, %s', async (_what, answer) => {
    for (const key of [opened.id, 'approval', 'approve']) {
      await inbox.bench.store.deliver(inbox.callerNamed(REQUESTER), opened.taskId, { [key]: answer });
    }
    await expectUndecided();
  });

  it('for an answer of the requester on the page of their task', async () => {
    const own = await inbox.visitor(REQUESTER);
    const { fields } = formOf(await own.get(`/inbox/tasks/${opened.taskId}`), '/cancel');
    for (const key of [opened.id, 'approval', 'approve']) {
      const answer = { ...fields, key, action: 'accept', choice: 'approve', 'field.approve': 'on' };
      const page = await own.post(`/inbox/tasks/${opened.taskId}/answer`, answer);
      expect([page.status, wordsOf(page)]).toEqual([422, expect.stringContaining('not open any more')]);
    }
    await expectUndecided();
  });

  it('for an answer of the requester by the tool task_answer', async () => {
    const { url } = await startBenchFront(inbox.bench, catalog, {}, openGate(inbox.callerNamed(REQUESTER)));
    for (const key of [opened.id, 'approval', 'approve']) {
      const answers = { [key]: { action: 'accept', content: { approve: true } } };
      const params = { name: 'task_answer', arguments: { id: opened.taskId, answers } };
      const { body } = await post(url, { method: 'tools/call', params, capabilities: {} });
      expect(body.result).toMatchObject({ isError: true });
      expect(body.result.content[0].text).toContain('Nothing was answered: it asks nothing.');
    }
    await expectUndecided();
  });

  it('by the requester in the inbox, who is offered no form, nor with the form of somebody else', async () => {
    const own = await inbox.visitor(REQUESTER);
    const page = await own.get(`/inbox/approvals/${opened.id}`);
    expect(wordsOf(page)).toContain('somebody else decides');
    expect(page.text).not.toContain('/decide"');
    const other = await inbox.visitor('finance-2');
    const theirs = formOf(await other.get(`/inbox/approvals/${opened.id}`), '/decide', { choice: 'approve' });
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.text) ?? [];
    expect((await own.post(theirs.action, { ...theirs.fields, csrf })).status).toBe(400);
    await expectUndecided();
  });

  it.each(['GET', 'HEAD'])('by %s, with a cookie or without', async (method) => {
    const asked = await inbox.visitor('finance-2');
    const form = formOf(await asked.get(`/inbox/approvals/${opened.id}`), '/decide', { choice: 'approve' });
    const query = new URLSearchParams(form.fields).toString();
    for (const visitor of [asked, new InboxVisitor(inbox.origin)]) {
      for (const address of [`${form.action}?${query}`, `/inbox/approvals/${opened.id}?${query}`]) {
        await visitor.once(address, { method });
      }
    }
    await expectUndecided();
  });

  it('by whoever holds another role: to them it is not there', async () => {
    const other = await inbox.visitor('purchasing-1');
    const page = await other.get(`/inbox/approvals/${opened.id}`);
    const unknown = await other.get('/inbox/approvals/00000000-0000-4000-8000-000000000000');
    expect([page.status, page.text]).toEqual([404, unknown.text]);
    await expectUndecided();
  });

  it('by a signal, or an update that no front has signed', async () => {
    const handle = inbox.bench.service.client.getHandle(opened.found.workflowId);
    await handle.signal(taskInputSignal, { responses: { [opened.id]: { choice: 'approve' } }, receivedAt: Date.now() });
    const decision = decisionOn(opened.found, 'finance-2');
    const forged = { decision, signature: '00'.repeat(32) };
    expect(await inbox.desk.decide(opened.found.workflowId, forged)).toMatchObject({ refusal: { code: 'unsigned' } });
    await expectUndecided();
  });

  it('by the requester under another credential of the same subject', async () => {
    const decision = decisionOn(opened.found, REQUESTER, { person: person(REQUESTER) });
    expect(await inbox.desk.decide(opened.found.workflowId, signed(decision))).toMatchObject({
      refusal: { code: 'own' },
    });
    await expectUndecided();
  });
});

describe('an approval that asks one person by name', () => {
  beforeEach(async () => {
    opened = await inbox.open({ title: 'For one alone', people: ['clerk-1'] }, REQUESTER);
    expect(opened.found.open[0]).toMatchObject({ roles: [], people: ['clerk-1'] });
  });

  it.each(['finance-2', 'purchasing-1'])('is nothing to %s, whatever role they hold', async (subject) => {
    const named = await inbox.visitor('clerk-1');
    const form = formOf(await named.get(`/inbox/approvals/${opened.id}`), '/decide', { choice: 'approve' });
    const other = await inbox.visitor(subject);
    const page = await other.get(`/inbox/approvals/${opened.id}`);
    const unknown = await other.get('/inbox/approvals/00000000-0000-4000-8000-000000000000');
    expect([page.status, page.text]).toEqual([404, unknown.text]);
    expect(wordsOf(await other.get('/inbox'))).not.toContain('For one alone');
    const { csrf = '' } = formOf(unknown, '/sign-in/end').fields;
    expect((await other.post(form.action, { ...form.fields, csrf })).status).toBe(400);
    await expectUndecided();
  });

  it('takes no decision of theirs that a front has signed', async () => {
    const decision = decisionOn(opened.found, 'finance-2', { roles: ['finance', 'board', 'pages'] });
    expect(await inbox.desk.decide(opened.found.workflowId, signed(decision))).toMatchObject({
      refusal: { code: 'not_asked' },
    });
    await expectUndecided();
  });
});

it('somebody who is asked has a way of their own, and whoever comes late by a link is told who took it', async () => {
  const asked = await inbox.visitor('finance-2');
  await asked.submit(await asked.get(`/inbox/approvals/${opened.id}`), '/decide', {}, { choice: 'approve' });
  const ended = await eventually(async () => {
    const task = await inbox.bench.store.get(inbox.callerNamed(REQUESTER), opened.taskId);
    return task.status === 'completed' && (task.result.structuredContent as JsonObject);
  });
  expect(ended).toEqual({ result: 'approved', by: ['Finance 2'] });
  expect(wordsOf(await asked.get(`/inbox/approvals/${opened.id}`))).toContain('Approved by Finance 2');
});
