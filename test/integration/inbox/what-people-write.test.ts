/** Whatever people, tools and lists write is text on each page of the inbox: every field of it, tried with markup. */
import { beforeAll, expect, it } from '@jest/globals';
import { createActActivities } from '../../../activities/acts.ts';
import type { DetailedTask } from '../../../protocol/task.ts';
import { approvalActsOf } from '../../../store/approval-acts.ts';
import { PostgresDelegations } from '../../../store/delegations.ts';
import { openAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { InboxVisitor, type InboxPage } from '../../support/inbox-visitor.ts';
import { patiently } from '../../support/patience.js';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { EVIL_URL, evil, harmless } from './evil.ts';

const TEST_MS = patiently(60_000);
const REQUESTER = 'purchasing-1';
const DECISION = {
  title: evil('title'),
  amount: evil('amount'),
  details: { [evil('detail')]: evil('value') },
  reason: evil('reason'),
};
const DECISION_FIELDS = ['title', 'amount', 'detail', 'value', 'reason'];

let inbox: InboxBench;
let finance: InboxVisitor;
let other: InboxVisitor;
let requester: InboxVisitor;
beforeAll(async () => {
  const audit = await openAudit(await startPostgres(postgresKinds[0]!));
  const more = {
    audit: audit.log,
    delegations: new PostgresDelegations(audit.db),
    history: { ofTask: (taskId: string) => approvalActsOf(audit.db, taskId) },
  };
  inbox = await openInboxBench(more, 0, createActActivities(audit.log));
  inbox.approvers = [
    { subject: 'finance-1', name: evil('Finance 1'), roles: ['finance', evil('role')] },
    { subject: 'finance-2', name: evil('Finance 2'), roles: ['finance'] },
    { subject: REQUESTER, name: evil('Purchasing 1'), roles: ['purchasing'] },
  ];
  await inbox.bench.startWorker();
  [finance, other, requester] = await Promise.all([
    inbox.visitor('finance-1'),
    inbox.visitor('finance-2'),
    inbox.visitor(REQUESTER),
  ]);
}, TEST_MS);

/** That each of `fields` stands in the page, and none of them as markup. */
function expectText({ text }: InboxPage, ...fields: readonly string[]): void {
  expect(text).toContain('<h1>');
  expect(text).not.toMatch(/<script>|<img|onerror='|href="javascript:/);
  expect(fields.filter((field) => !text.includes(harmless(field)))).toEqual([]);
}

/** The page, once all of `fields` stand in it. */
async function readsOn(visitor: InboxVisitor, address: string, ...fields: readonly string[]): Promise<InboxPage> {
  const page = await eventually(async () => {
    const read = await visitor.get(address);
    return fields.every((field) => read.text.includes(harmless(field))) && read;
  });
  expectText(page, ...fields);
  return page;
}

async function openDecision(more: object = {}): Promise<{ id: string; taskId: string; address: string }> {
  const caller = { ...inbox.callerNamed(REQUESTER), displayName: evil('requester') };
  const { id, taskId } = await inbox.open({ ...DECISION, ...more }, caller);
  return { id, taskId, address: `/inbox/approvals/${id}` };
}

it(
  'in an approval: what it says, who looks at it, who has decided and why, and on the page of its task',
  async () => {
    const options = [{ value: evil('kind'), title: evil('option') }];
    const { taskId, address } = await openDecision({ quorum: 2, options });
    const page = await finance.get(address);
    expectText(page, ...DECISION_FIELDS, 'option', 'requester', 'Finance 1');
    expectText(await finance.submit(page, '/claim'));
    expectText(await other.get('/inbox'), 'title', 'amount', 'requester', 'Finance 1');
    await finance.submit(page, '/decide', {}, { choice: 'approve' });
    await readsOn(other, address, 'Finance 1');
    const reject = { reason: evil('why not'), option: evil('kind') };
    const verdict = await other.submit(await other.get(address), '/decide', reject, { choice: 'reject' });
    expectText(verdict, 'Finance 2');
    await readsOn(finance, address, 'title', 'Finance 1', 'Finance 2', 'kind', 'why not');
    await readsOn(requester, `/inbox/tasks/${taskId}`, 'title', 'Finance 2', 'why not', 'Purchasing 1');
  },
  TEST_MS,
);

it(
  'in the lines of those who stand in, and what they decide for whom',
  async () => {
    const [day = ''] = new Date().toISOString().split('T');
    const filled = { to: 'finance-2', role: evil('role'), from: day, until: day };
    const form = await finance.get('/inbox/delegations');
    expectText(form, 'Finance 2', 'role');
    expectText(await finance.submit(form, '/delegations', { ...filled, from: evil('from') }), 'from', 'role');
    expectText(await finance.submit(form, '/delegations', filled), 'Finance 2', 'role');
    expectText(await other.get('/inbox/delegations'), 'Finance 1', 'role');
    const { address } = await openDecision({ role: evil('role') });
    const page = await other.get(address);
    expectText(page, 'Finance 1', 'role');
    expectText(await other.get('/inbox'), 'Finance 1');
    expectText(await other.submit(page, '/decide', {}, { choice: 'approve' }), 'Finance 2');
  },
  TEST_MS,
);

it(
  'in an offer by a link, on its own page and on that of its task',
  async () => {
    const { taskId } = await openDecision({ byLink: true });
    const task = await readsOn(requester, `/inbox/tasks/${taskId}`, 'title');
    const [, link = ''] = /href="([^"]*\/links\/[^"]*)"/.exec(task.text) ?? [];
    const path = new URL(link).pathname;
    const candidate = new InboxVisitor(inbox.origin);
    const page = await candidate.get(path);
    expectText(page, ...DECISION_FIELDS);
    expectText(await candidate.submit(page, path, { reason: evil('word') }, { choice: 'reject' }), 'title');
    await readsOn(requester, `/inbox/tasks/${taskId}`, 'title', 'word');
  },
  TEST_MS,
);

it.each([
  ['result', ['result', 'file']],
  ['error', ['error']],
  ['failure', ['failure']],
] as const)(
  'in what a tool asks and reports, and in its %s',
  async (ends, fields) => {
    const caller = inbox.callerNamed(REQUESTER);
    const { task } = await inbox.bench.store.create(caller, {
      tool: 'hostile',
      args: { ends },
      features: { elicitationForm: true, elicitationUrl: true },
      ttlMs: 60_000,
      maxTtlMs: 60_000,
      pollIntervalMs: 1_000,
    });
    const address = `/inbox/tasks/${task.taskId}`;
    const asked = ['question', 'name', 'hint', 'default', 'title', 'one', 'some', 'value', 'option', 'page'];
    const page = await readsOn(requester, address, ...asked);
    expect(page.text).not.toContain(EVIL_URL);
    await readsOn(requester, '/inbox/tasks', 'question');
    expectText(await requester.submit(page, '/answer', { action: 'accept', 'field.one': evil('one') }), 'question');
    const { inputRequests = {} } = (await inbox.bench.store.get(caller, task.taskId)) as DetailedTask & {
      readonly inputRequests?: object;
    };
    const declined = Object.keys(inputRequests).map((key) => [key, { action: 'decline' }] as const);
    await inbox.bench.store.deliver(caller, task.taskId, Object.fromEntries(declined));
    await readsOn(requester, address, ...fields);
  },
  TEST_MS,
);

it('in an address', async () => {
  const word = encodeURIComponent(evil('word'));
  expectText(await finance.get(`/inbox?role=${word}&after=${word}`));
  expectText(await finance.get(`/inbox/approvals/${word}`));
  expectText(await finance.get(`/inbox/tasks/${word}`));
  expectText(await new InboxVisitor(inbox.origin).get(`/inbox/sign-in?to=${word}`), 'Finance 1', 'Finance 2');
  expectText(await new InboxVisitor(inbox.origin).get(`/links/${word}`));
});
