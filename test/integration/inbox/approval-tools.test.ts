/** The tools for approvals from a token to a decision: real tokens, real HTTP, real Temporal, a real database. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresApprovalQueue } from '../../../store/approval-queue.ts';
import { createGate } from '../../../server/auth/gate.ts';
import { createJwtVerifier } from '../../../server/auth/jwt-verifier.ts';
import type { Caller } from '../../../server/caller.ts';
import { createFront } from '../../../server/front.ts';
import { createLog } from '../../../server/log.ts';
import { callerOf } from '../../../server/principal.ts';
import { decide, decisionOn } from '../../support/approver.ts';
import { rowsOfTask } from '../../../store/audit-rows.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { bearer, post, type McpAnswer } from '../../support/mcp-request.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { createTestServing } from '../../support/test-front.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { catalog } from './inbox-tools.ts';

const AUDIENCE = 'https://host.test/mcp';
const KEY = Buffer.alloc(32, 7);
const NAMES = ['approvals_list', 'approval_get'];
const OVERALL_MS = 60_000;

let inbox: InboxBench;
let issuer: TokenIssuer;
let audit: TestAudit;
let queue: PostgresApprovalQueue;
let url: string;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  [inbox, issuer, audit] = await Promise.all([
    openInboxBench(),
    startTokenIssuer({ audience: AUDIENCE }),
    openAudit(postgres),
  ]);
  queue = new PostgresApprovalQueue(audit.db);
  const log = createLog('silent');
  const gate = createGate({
    verifiers: [createJwtVerifier({ issuer: issuer.url, audience: AUDIENCE, rolesClaim: 'groups' })],
    principalRing: [KEY],
    resource: undefined,
    log,
  });
  const { bench, desk } = inbox;
  const front = createFront({
    ...createTestServing({}, catalog).parts,
    store: bench.store,
    blobs: bench.blobs,
    gate,
    log,
    audit: audit.log,
    approvals: { desk, queue, audit: audit.log, approvers: async () => inbox.approvers, inboxUrl: () => new URL(url) },
  });
  url = await front.listen();
  atScopeEnd(() => front.drain());
  await bench.startWorker();
}, OVERALL_MS);

type Revision = '2026-07-28' | '2025-11-25';

async function send(
  as: string,
  message: { method: string; params?: object },
  { revision = '2026-07-28', groups }: { revision?: Revision; groups?: string[] } = {},
): Promise<McpAnswer> {
  const headers = bearer(await issuer.token({ claims: { sub: as, scope: 'tasks:read', groups } }));
  if (revision === '2026-07-28') return post(url, { ...message, params: { ...message.params }, headers });
  const older = { 'mcp-protocol-version': revision, 'mcp-method': undefined, 'mcp-name': undefined };
  const rawBody = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return post(url, { method: '', rawBody, headers: { ...older, ...headers } });
}

async function call(
  as: string,
  name: string,
  args: object = {},
  more?: Parameters<typeof send>[2],
): Promise<McpAnswer> {
  return send(as, { method: 'tools/call', params: { name, arguments: args } }, more);
}

function callerNamed(subject: string): Caller {
  return callerOf([KEY], { issuer: issuer.url, subject }, { scopes: 'all' });
}

/** Asked for by `requester`, and in the queue. */
async function open(requester: string, args: Parameters<InboxBench['open']>[0] = {}) {
  const opened = await inbox.open(args, callerNamed(requester));
  for (const approval of opened.found.open) await queue.put(opened.found, approval);
  return opened;
}

async function listedTo(as: string): Promise<readonly unknown[]> {
  const { approvals } = (await call(as, 'approvals_list', { limit: 100 })).body.result.structuredContent;
  return (approvals as readonly { id: string }[]).map(({ id }) => id);
}

describe.each<Revision>(['2026-07-28', '2025-11-25'])('in the words of %s', (revision) => {
  async function namesFor(as: string, groups?: string[]): Promise<readonly string[]> {
    const { body } = await send(as, { method: 'tools/list' }, { revision, ...(groups && { groups }) });
    return body.result.tools.map(({ name }) => name).filter((name) => NAMES.includes(name));
  }

  it('the tools are listed to whoever holds a role by the list or by the token, and to nobody else', async () => {
    expect(await namesFor('finance-1')).toEqual(NAMES);
    expect(await namesFor('somebody', ['finance'])).toEqual(NAMES);
    expect(await namesFor('somebody')).toEqual([]);
    const unknown = await call('somebody', 'approvals_list', {}, { revision });
    expect(unknown.body.error?.code).toBe(-32602);
  });

  it(
    'an approval is listed and shown, and leads to the page where it is decided',
    async () => {
      const { id } = await open('purchasing-1', { title: `Chairs, ${revision}` });
      const list = await call('finance-1', 'approvals_list', {}, { revision });
      expect(list.body.result.structuredContent).toEqual({
        approvals: expect.arrayContaining([
          expect.objectContaining({
            id,
            title: `Chairs, ${revision}`,
            amount: '759.60 EUR',
            requestedBy: 'purchasing-1',
          }),
        ]),
      });
      const shown = await call('finance-1', 'approval_get', { id }, { revision });
      const decideAt = new URL(`/inbox/approvals/${id}`, url).href;
      expect(shown.body.result.content[0].text).toContain(decideAt);
      const willHappen = { Vendor: 'Nordlicht', Total: '759.60 EUR' };
      expect(shown.body.result.structuredContent).toMatchObject({
        approval: { id, willHappen, mayDecide: 'yes', decideAt },
      });
    },
    OVERALL_MS,
  );
});

describe('what somebody reads in an agent', () => {
  it(
    'is theirs alone: to others an approval reads like one that does not exist',
    async () => {
      const { id } = await open('purchasing-1');
      const foreign = await call('purchasing-2', 'approval_get', { id }, { groups: ['purchasing'] });
      const unknown = await call('purchasing-2', 'approval_get', { id: 'unheard-of' }, { groups: ['purchasing'] });
      expect(foreign.body.result).toEqual(unknown.body.result);
      expect(foreign.body.result.isError).toBe(true);
    },
    OVERALL_MS,
  );

  it(
    'is checked against the task: their own requests, what they have voted on and what is over do not wait for them',
    async () => {
      const voted = await open('purchasing-1', { quorum: 2 });
      const over = await open('purchasing-1');
      const own = await open('finance-1');
      const subject = 'finance-1';
      const person = { principals: [callerNamed(subject).principal], subject, name: 'Finance 1' };
      for (const { found } of [voted, over]) await decide(inbox.desk, found, decisionOn(found, subject, { person }));
      const finance = await listedTo('finance-1');
      for (const { id } of [voted, over, own]) expect(finance).not.toContain(id);
      expect(await listedTo('finance-2')).toEqual(expect.arrayContaining([voted.id, own.id]));

      const mayDecide = async (id: string): Promise<unknown> =>
        (await call('finance-1', 'approval_get', { id })).body.result.structuredContent['approval'];
      expect(await mayDecide(voted.id)).toMatchObject({ mayDecide: 'voted', votes: [{ by: 'Finance 1' }] });
      expect(await mayDecide(own.id)).toMatchObject({ mayDecide: 'own' });
      expect(await mayDecide(over.id)).toMatchObject({ result: 'approved', by: ['Finance 1'] });
    },
    OVERALL_MS,
  );

  it(
    'stands in the audit once, and leaves the approval as it was',
    async () => {
      const { id, taskId, found } = await open('purchasing-1');
      for (let look = 0; look < 2; look += 1) await call('finance-1', 'approval_get', { id });
      const acts = await audit.story(taskId);
      expect(acts.filter((act) => act.endsWith(' viewed'))).toHaveLength(1);
      expect((await inbox.desk.read(found.workflowId))?.open).toEqual(found.open);
    },
    OVERALL_MS,
  );

  it(
    'is told to the audit once as well when it is the result of a task of theirs',
    async () => {
      const { taskId, found } = await open('purchasing-1');
      const get = async () => (await send('purchasing-1', { method: 'tasks/get', params: { taskId } })).body.result;
      await decide(inbox.desk, found, decisionOn(found, 'finance-1'));
      await eventually(async () => (await get()).status === 'completed');
      await get();
      const rows = await eventually(async () => {
        const all = await rowsOfTask(audit.db, taskId);
        return all.length > 0 && all;
      });
      const { principal } = callerNamed('purchasing-1');
      expect(rows).toMatchObject([
        { seq: null, type: 'result_read', by: 'purchasing-1', data: { principal, in: 'mcp' } },
      ]);
    },
    OVERALL_MS,
  );
});
