import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewDelegation } from '../../../protocol/delegation.ts';
import type { JsonObject } from '../../../protocol/task.ts';
import { HOUR_MS, openDelegationsBench, type DelegationsBench } from '../../support/delegations-bench.ts';
import { eventually } from '../../support/eventually.ts';
import type { InboxBench } from '../../support/inbox-bench.ts';
import { formOf, wordsOf, type InboxPage, type InboxVisitor } from '../../support/inbox-visitor.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';

const TEST_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

let bench: DelegationsBench;
let inbox: InboxBench;
beforeAll(async () => {
  bench = await openDelegationsBench(await startPostgres(postgresKinds[0]!));
  ({ inbox } = bench);
}, TEST_MS);
beforeEach(() => bench.reset());

const received = (): ReturnType<typeof bench.delegations.receivedBy> =>
  bench.delegations.receivedBy({ issuer: 'local', subject: 'clerk-1' }, Date.now());

const CHOICE = { choice: 'approve' } as const;

async function pageOf(visitor: InboxVisitor, id: string): Promise<InboxPage> {
  return visitor.get(`/inbox/approvals/${id}`);
}

async function approveOn(visitor: InboxVisitor, page: InboxPage): Promise<InboxPage> {
  return visitor.submit(page, '/decide', {}, CHOICE);
}

async function votesOf(workflowId: string) {
  return (await inbox.desk.read(workflowId))?.open[0]?.votes;
}

describe('while it is in force, whoever stands in', () => {
  it('sees what waits for the delegator, and decides it in their name; both names stay', async () => {
    const { id, taskId, found } = await inbox.open({ title: 'Order 7 desks', quorum: 2 });
    await bench.give('finance-1', 'clerk-1');
    const clerk = await inbox.visitor('clerk-1');
    expect(wordsOf(await clerk.get('/inbox'))).toMatch(/Order 7 desks for Finance 1 /);
    const page = await pageOf(clerk, id);
    expect(wordsOf(page)).toContain('You decide for Finance 1 as their delegate');
    expect(wordsOf(await approveOn(clerk, page))).toContain('1 of 2. It waits for others.');
    expect(wordsOf(await clerk.get('/inbox'))).not.toContain('Order 7 desks');

    const other = await inbox.visitor('finance-2');
    const second = await pageOf(other, id);
    expect(wordsOf(second)).toContain('Clerk 1 for Finance 1 approved at');
    expect(wordsOf(await approveOn(other, second))).toContain('Approved by Clerk 1 for Finance 1 and Finance 2 at');
    const task = await eventually(async () => {
      const one = await inbox.bench.store.get(inbox.callerNamed('purchasing-1'), taskId);
      return one.status === 'completed' && one;
    });
    expect(task.result.structuredContent as JsonObject).toMatchObject({ result: 'approved' });
    const viewed = await bench.audit.db.selectFrom('audit').selectAll().where('task_id', '=', found.taskId).execute();
    expect(viewed.find(({ by }) => by === 'Clerk 1')).toMatchObject({
      type: 'viewed',
      data: { onBehalfOf: 'Finance 1' },
    });
  });

  it('decides as themselves what asks them too', async () => {
    const { id, found } = await inbox.open({ quorum: 2 });
    await bench.give('finance-1', 'finance-2');
    const finance = await inbox.visitor('finance-2');
    const page = await pageOf(finance, id);
    expect(wordsOf(page)).not.toContain('You decide for');
    await approveOn(finance, page);
    const [vote] = (await votesOf(found.workflowId)) ?? [];
    expect(vote).toMatchObject({ person: { subject: 'finance-2' } });
    expect(vote).not.toHaveProperty('onBehalfOf');
  });

  it('is one person: neither they nor the delegator decide a second time', async () => {
    const { id, found } = await inbox.open({ quorum: 3 });
    await bench.give('finance-1', 'clerk-1');
    await bench.give('finance-2', 'clerk-1');
    const clerk = await inbox.visitor('clerk-1');
    const delegator = await inbox.visitor('finance-1');
    const [early, own] = [await pageOf(clerk, id), await pageOf(delegator, id)];
    await approveOn(clerk, early);
    expect(wordsOf(await pageOf(clerk, id))).toContain('You have decided');
    const theirs = await pageOf(delegator, id);
    expect(wordsOf(theirs)).toContain('It was decided in your name. It waits for others.');
    expect(theirs.text).not.toContain('/decide"');
    expect(wordsOf(await approveOn(delegator, own))).toContain('You have decided already');
    expect(await votesOf(found.workflowId)).toHaveLength(1);
  });

  it('decides for the next one, where the first has had their say', async () => {
    const { id, found } = await inbox.open({ quorum: 3 });
    await bench.give('finance-1', 'clerk-1', { fromAt: Date.now() - 2 * HOUR_MS });
    await bench.give('finance-2', 'clerk-1');
    const finance = await inbox.visitor('finance-1');
    await approveOn(finance, await pageOf(finance, id));
    const clerk = await inbox.visitor('clerk-1');
    const page = await pageOf(clerk, id);
    expect(wordsOf(page)).toContain('You decide for Finance 2');
    await approveOn(clerk, page);
    expect((await votesOf(found.workflowId))?.[1]).toMatchObject({ onBehalfOf: { subject: 'finance-2' } });
  });

  it('decides neither their own request nor that of the delegator', async () => {
    await bench.give('finance-1', 'clerk-1');
    const byDelegate = await inbox.open({ title: 'Asked by the clerk' }, 'clerk-1');
    const byDelegator = await inbox.open({ title: 'Asked by finance' }, 'finance-1');
    const clerk = await inbox.visitor('clerk-1');
    const queue = wordsOf(await clerk.get('/inbox'));
    expect(queue).not.toContain('Asked by the clerk');
    expect(queue).not.toContain('Asked by finance');
    expect(wordsOf(await pageOf(clerk, byDelegate.id))).toContain('This is a request of yours');
    expect((await pageOf(clerk, byDelegator.id)).status).toBe(404);
  });

  it('cannot pass it on', async () => {
    const { id } = await inbox.open({ title: 'Not for the third' });
    await bench.give('finance-1', 'clerk-1');
    await bench.give('clerk-1', 'purchasing-1');
    const third = await inbox.visitor('purchasing-1');
    expect(wordsOf(await third.get('/inbox'))).not.toContain('Not for the third');
    const { id: other } = await inbox.open({ title: 'Nor this' }, 'finance-2');
    expect((await pageOf(third, other)).status).toBe(404);
    expect((await pageOf(await inbox.visitor('clerk-1'), id)).status).toBe(200);
  });
});

describe('what it covers', () => {
  it('is of one role alone nothing else, not even what asks the delegator by name', async () => {
    inbox.approvers = inbox.approvers.map((one) =>
      one.subject === 'finance-1' ? { ...one, roles: ['finance', 'board'] } : one,
    );
    await bench.give('finance-1', 'clerk-1', { role: 'board' });
    const covered = await inbox.open({ title: 'For the board', role: 'board' });
    const finance = await inbox.open({ title: 'For finance', role: 'finance' });
    const named = await inbox.open({ title: 'By name', role: 'nobody', people: ['finance-1'] });
    const clerk = await inbox.visitor('clerk-1');
    const queue = wordsOf(await clerk.get('/inbox'));
    expect(queue).toContain('For the board for Finance 1');
    expect(queue).not.toMatch(/For finance|By name/);
    for (const { id } of [finance, named]) expect((await pageOf(clerk, id)).status).toBe(404);
    expect(wordsOf(await approveOn(clerk, await pageOf(clerk, covered.id)))).toContain(
      'Approved by Clerk 1 for Finance 1',
    );
  });

  it('is also what asks by name, where it is of all of them', async () => {
    await bench.give('finance-1', 'clerk-1');
    const { id } = await inbox.open({ title: 'By name, all', role: 'nobody', people: ['finance-1'] });
    const clerk = await inbox.visitor('clerk-1');
    expect(wordsOf(await clerk.get('/inbox'))).toContain('By name, all for Finance 1');
    expect(wordsOf(await approveOn(clerk, await pageOf(clerk, id)))).toContain('Approved by Clerk 1 for Finance 1');
  });
});

describe('of the same name at another issuer, or in another organisation', () => {
  it.each([{ issuer: 'https://login.example.com' }, { tenant: 'another' }])('nobody stands in: %j', async (other) => {
    const { id, from } = await bench.give('finance-1', 'clerk-1');
    expect(await bench.delegations.receivedBy({ issuer: 'local', subject: 'clerk-1', ...other }, Date.now())).toEqual(
      [],
    );
    expect(await bench.delegations.givenBy({ ...from, ...other }, Date.now())).toEqual([]);
    expect(await bench.delegations.revoke(id, { ...from, ...other })).toBeUndefined();
    expect(await received()).toHaveLength(1);
  });
});

describe('before and after, nobody stands in', () => {
  it.each([
    ['not begun', { fromAt: Date.now() + HOUR_MS, untilAt: Date.now() + DAY_MS }],
    ['over', { fromAt: Date.now() - DAY_MS, untilAt: Date.now() - 1 }],
  ])('%s', async (_when, span) => {
    const { id } = await inbox.open({ title: 'Out of time' });
    await bench.give('finance-1', 'clerk-1', span);
    const clerk = await inbox.visitor('clerk-1');
    expect(wordsOf(await clerk.get('/inbox'))).not.toContain('Out of time');
    expect((await pageOf(clerk, id)).status).toBe(404);
  });

  it.each([
    ['revoked', (one: NewDelegation) => bench.delegations.revoke(one.id, one.from)],
    [
      'over',
      ({ id }: NewDelegation) =>
        bench.audit.db
          .updateTable('delegations')
          .set({ until_at: new Date() })
          .where('delegation_id', '=', id)
          .execute(),
    ],
    [
      'of a delegator who is no longer in the list',
      async () => {
        inbox.approvers = inbox.approvers.filter(({ subject }) => subject !== 'finance-1');
      },
    ],
  ])('%s between the page and its form, sent anew or again', async (_what, end) => {
    const { id, found } = await inbox.open({ quorum: 3 });
    const given = await bench.give('finance-1', 'clerk-1');
    const clerk = await inbox.visitor('clerk-1');
    const page = await pageOf(clerk, id);
    const { action, fields } = formOf(page, '/decide', CHOICE);
    const body = new URLSearchParams(fields);
    const sent = await clerk.once(action, { method: 'POST', body, headers: { origin: inbox.origin } });
    const address = new URL(sent.headers.get('location') ?? '', inbox.origin);
    await end(given);
    const late = await approveOn(clerk, page);
    expect([late.status, wordsOf(late)]).toEqual([403, expect.stringContaining('You no longer stand in')]);
    const again = await clerk.post(address.pathname, {
      csrf: fields['csrf'] ?? '',
      sent: address.searchParams.get('sent') ?? '',
    });
    expect(again.status).toBe(403);
    expect(await votesOf(found.workflowId)).toHaveLength(1);
  });
});
