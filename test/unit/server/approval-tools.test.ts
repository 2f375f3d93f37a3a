/** Who is shown the tools for approvals, and what they answer; on doubles of the queue and of the tasks. */
import { describe, expect, it } from '@jest/globals';
import { ungrantedScopes } from '../../../server/auth/message-scopes.ts';
import { approvalToolNames } from '../../../server/approval-tools.ts';
import type { ReadableApprovals } from '../../../server/approvals/approval-source.ts';
import type { Caller } from '../../../server/caller.ts';
import { fallbackToolNames } from '../../../server/fallback-tools.ts';
import { ApproversFault } from '../../../server/inbox/approvers.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { StoreDown } from '../../../store/store-down.ts';
import { catalog } from '../../../workflows/tools/index.ts';
import { approval, finance1, named, purchasing, told, WITH_TASKS, worldOf } from '../../support/approvals-world.ts';
import { testCaller } from '../../support/test-caller.ts';
import { testCatalog } from '../../support/test-front.ts';

const NAMES = ['approvals_list', 'approval_get'];

describe('the tools for approvals', () => {
  const own = [...testCatalog.keys()];

  it('are listed to whoever holds a role, whether or not the client takes tasks', async () => {
    const { list } = await worldOf(finance1);
    expect(await list()).toEqual([...own, ...NAMES]);
    expect(await list({})).toEqual([...own, ...NAMES, ...fallbackToolNames]);
    const byToken = await worldOf({ ...testCaller('p'), approver: named('unlisted', 'staff') });
    expect(await byToken.list()).toEqual([...own, ...NAMES]);
  });

  it.each([
    ['somebody without a role', { ...testCaller('p'), approver: named('unlisted') }],
    ['a machine', testCaller('p')],
  ])('do not exist for %s', async (_who, caller) => {
    const { list, call, queue } = await worldOf(caller, [approval('a')]);
    expect(await list()).toEqual(own);
    queue.error = new Error('nothing is looked up');
    const unknown = (await call('unheard_of')).body.error;
    for (const name of NAMES) {
      for (const capabilities of [WITH_TASKS, {}]) {
        expect((await call(name, { id: 7 }, capabilities)).body.error).toEqual(unknown);
      }
    }
    expect(unknown?.code).toBe(-32602);
  });

  it('have names that no other tool has', () => {
    expect(approvalToolNames).toEqual(NAMES);
    expect([...catalog.keys(), ...fallbackToolNames].filter((name) => NAMES.includes(name))).toEqual([]);
  });

  it('need no more than the scope to read', () => {
    const needs = (name: string, granted: string): readonly string[] | undefined =>
      ungrantedScopes({ scopes: new Set([granted]) }, { method: 'tools/call', params: { name } }, new Map());
    for (const name of NAMES) {
      expect(needs(name, 'tasks:read')).toBeUndefined();
      expect(needs(name, 'tasks:write')).toEqual(['tasks:read']);
    }
  });

  it.each([
    ['approvals_list', { limit: 0 }, 'limit'],
    ['approvals_list', { limit: 101 }, 'limit'],
    ['approvals_list', { role: 'purchasing' }, 'role must be one of yours: finance.'],
    ['approvals_list', { cursor: 'made-up' }, 'The cursor is unknown or too old'],
    ['approvals_list', { extra: 1 }, 'extra is not a known argument'],
    ['approval_get', {}, 'id is missing'],
    ['approval_get', { id: 7 }, 'id must be a string'],
  ])('%s refuses %j in words', async (name, args, words) => {
    const { call } = await worldOf(finance1);
    expect(told(await call(name, args))).toEqual([true, expect.stringContaining(words)]);
  });

  it('say what is missing without a database, and what is away', async () => {
    const without = await worldOf(finance1, [], { queue: undefined });
    const { queue, call } = await worldOf(finance1);
    queue.error = new StoreDown();
    for (const name of NAMES) {
      expect(told(await without.call(name, argsOf(name)))).toEqual([true, expect.stringContaining('DATABASE_URL')]);
      expect(told(await call(name, argsOf(name)))).toEqual([true, expect.stringContaining('Try again')]);
    }
    const desk = { read: () => Promise.reject(new StoreUnavailable('14 UNAVAILABLE 10.0.0.1:7233')) };
    const away = await worldOf(finance1, [approval('a')], { desk: desk as unknown as ReadableApprovals['desk'] });
    const { text, body } = await away.call('approval_get', { id: 'a' });
    expect([body.error?.code, text.includes('10.0.0.1')]).toEqual([-32603, false]);
  });

  it('are hidden while the list of approvers cannot be read; a call says so, and not where the list is', async () => {
    const approvers = () => Promise.reject(new ApproversFault('/secret/approvers.json cannot be read'));
    const { list, call } = await worldOf(finance1, [], { approvers });
    expect(await list()).toEqual(own);
    const { text, body } = await call('approvals_list');
    expect([body.error?.code, text.includes('secret')]).toEqual([-32603, false]);
  });
});

function argsOf(name: string): object {
  return name === 'approval_get' ? { id: 'a' } : {};
}

describe('approvals_list', () => {
  it('goes on from page to page under a cursor that is good for the same person and role', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const open = ids.map((id, index) => approval(id, { dueAt: Date.UTC(2026, 0, 2 + index) }));
    const { call } = await worldOf(finance1, open);
    interface Page {
      readonly approvals: readonly { readonly id: string }[];
      readonly nextCursor?: string;
    }
    const pages: Page[] = [];
    do {
      const cursor = pages.at(-1)?.nextCursor;
      const { body } = await call('approvals_list', { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(body.result.structuredContent as unknown as Page);
    } while (pages.at(-1)?.nextCursor !== undefined);
    expect(pages.map(({ approvals }) => approvals.map(({ id }) => id))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);

    const cursor = pages[0]?.nextCursor;
    const refused = [true, expect.stringContaining('The cursor is unknown or too old')];
    expect(told(await call('approvals_list', { cursor, role: 'finance' }))).toEqual(refused);
    const another = await worldOf({ ...finance1, principal: 'p-finance-2' }, open);
    expect(told(await another.call('approvals_list', { cursor }))).toEqual(refused);
  });

  it('leaves out what the caller has asked for or had their say on, and what a task no longer waits for', async () => {
    const me = { principals: ['p-finance-1'], subject: 'finance-1', name: 'Finance 1' };
    const voted = approval('voted', { votes: [{ person: me, choice: 'approve', at: 1 }] });
    const { call } = await worldOf(finance1, [approval('a'), voted]);
    expect((await call('approvals_list')).body.result.structuredContent).toEqual({
      approvals: [
        {
          id: 'a',
          title: 'Order a',
          amount: '759.60 EUR',
          requestedBy: 'Ada',
          since: '2026-01-01T00:00:00.000Z',
          due: '2026-01-02T00:00:00.000Z',
          votes: 0,
          quorum: 2,
        },
      ],
    });
    const requester: Caller = { ...testCaller('p-ada'), approver: named('ada', 'finance') };
    const own = await (await worldOf(requester, [approval('a')])).call('approvals_list');
    expect(told(own)).toEqual([false, '0 approvals wait for you.']);
  });
});

describe('approval_get', () => {
  it('shows all that a page shows, leads there, and tells the audit; it decides nothing', async () => {
    const other = { principals: ['x'], subject: 'finance-2', name: 'Finance 2' };
    const third = { principals: ['y'], subject: 'finance-3', name: 'Finance 3' };
    const no = { choice: 'reject', option: 'not_needed', reason: 'We have enough chairs.' } as const;
    const votes = [
      { person: other, choice: 'approve', at: Date.UTC(2026, 0, 1, 1) },
      { person: third, ...no, at: Date.UTC(2026, 0, 1, 2) },
    ] as const;
    const { call, acts } = await worldOf(finance1, [approval('a', { votes })]);
    const answer = await call('approval_get', { id: 'a' });
    const decideAt = 'https://mcp.example.com/inbox/approvals/a';
    expect(told(answer)).toEqual([false, expect.stringContaining(decideAt)]);
    expect(answer.body.result.structuredContent).toEqual({
      approval: {
        id: 'a',
        title: 'Order a',
        amount: '759.60 EUR',
        willHappen: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
        reason: 'Above 500 EUR somebody in finance decides.',
        requestedBy: 'Ada',
        asked: { roles: ['finance'], people: [] },
        quorum: 2,
        votes: [
          { by: 'Finance 2', choice: 'approve', at: '2026-01-01T01:00:00.000Z' },
          { by: 'Finance 3', ...no, at: '2026-01-01T02:00:00.000Z' },
        ],
        documents: [{ name: 'offer a.pdf', url: `${decideAt}/documents/offer%20a.pdf` }],
        since: '2026-01-01T00:00:00.000Z',
        due: '2026-01-02T00:00:00.000Z',
        mayDecide: 'yes',
        decideAt,
      },
    });
    expect(acts).toEqual([
      expect.objectContaining({ type: 'viewed', by: 'Finance 1', data: expect.objectContaining({ in: 'mcp' }) }),
    ]);
  });

  it('says of what is over what became of it', async () => {
    const { call } = await worldOf(finance1);
    const answer = await call('approval_get', { id: 'over' });
    expect(told(answer)).toEqual([false, 'Order over. Approved by Finance 2 at 2026-01-01T00:00:00.000Z.']);
  });

  it('answers unknown, foreign and malformed ids alike', async () => {
    const { call, acts } = await worldOf(purchasing, [approval('a')]);
    const answers = [];
    for (const id of ['a', 'over', 'unheard-of', '', '__proto__', '../x', '\u0000', 'x'.repeat(5_000)]) {
      answers.push(told(await call('approval_get', { id })));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([true, expect.stringContaining('No such approval.')]);
    expect(acts).toEqual([]);
  });
});
