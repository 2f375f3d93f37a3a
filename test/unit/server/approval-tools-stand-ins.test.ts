/** The tools for approvals for people who stand in for others. */
import { describe, expect, it } from '@jest/globals';
import type { SignedIn } from '../../../protocol/delegation.ts';
import type { StandIn } from '../../../server/inbox/stand-in.ts';
import type { Caller } from '../../../server/caller.ts';
import { StoreDown } from '../../../store/store-down.ts';
import { approval, finance1, named, purchasing, told, worldOf } from '../../support/approvals-world.ts';
import { testCaller } from '../../support/test-caller.ts';

const NAMES = ['approvals_list', 'approval_get'];
const finance2 = { principals: ['p-finance-2'], subject: 'finance-2', name: 'Finance 2' };
const STANDS_IN: readonly StandIn[] = [{ delegationId: 'd', person: finance2, roles: ['finance'] }];
const clerk: Caller = { ...testCaller('p-clerk'), displayName: 'Clerk', approver: named('clerk-1') };

type Asked = Omit<SignedIn, 'issuer'>;
const standInsOf = async ({ subject }: Asked) => (['purchasing-1', 'clerk-1'].includes(subject) ? STANDS_IN : []);

describe('the tools for approvals', () => {
  it('show whoever stands in what waits for the other, in whose name they would decide it', async () => {
    const { call, acts } = await worldOf(purchasing, [approval('a')], { standInsOf });
    const listed = await call('approvals_list');
    expect(listed.body.result.structuredContent).toEqual({
      approvals: [expect.objectContaining({ id: 'a', onBehalfOf: 'Finance 2' })],
    });
    const one = await call('approval_get', { id: 'a' });
    expect(told(one)).toEqual([false, expect.stringContaining('It waits for your decision for Finance 2.')]);
    expect(one.body.result.structuredContent).toEqual({
      approval: expect.objectContaining({ mayDecide: 'yes', onBehalfOf: 'Finance 2' }),
    });
    expect(acts).toEqual([expect.objectContaining({ data: expect.objectContaining({ onBehalfOf: 'Finance 2' }) })]);
  });

  it('say when it was decided in that name already', async () => {
    const votes = [{ person: finance2, choice: 'approve', at: 1 }] as const;
    const { call } = await worldOf(purchasing, [approval('a', { votes })], { standInsOf });
    const text = expect.stringContaining('It was decided for Finance 2, and waits for others');
    expect(told(await call('approval_get', { id: 'a' }))).toEqual([false, text]);
    expect(told(await call('approvals_list'))).toEqual([false, '0 approvals wait for you.']);
  });

  it('mark nothing that asks the caller as well', async () => {
    const { call } = await worldOf(finance1, [approval('a')], { standInsOf: async () => STANDS_IN });
    expect(JSON.stringify((await call('approvals_list')).body.result)).not.toContain('onBehalfOf');
  });

  it('are there for who holds no role and stands in, and are gone when that is over', async () => {
    const { list, call } = await worldOf(clerk, [approval('a')], { standInsOf });
    expect(await list()).toEqual(expect.arrayContaining(NAMES));
    expect(told(await call('approvals_list'))).toEqual([false, '1 approval waits for you.']);
    const over = await worldOf(clerk, [approval('a')], { standInsOf: async () => [] });
    expect(await over.list()).not.toEqual(expect.arrayContaining(NAMES));
    expect((await over.call('approvals_list')).body.error?.code).toBe(-32602);
  });

  it('are not there for who holds no role while the database cannot tell, and say so to whoever does', async () => {
    const away = { standInsOf: () => Promise.reject(new StoreDown()) };
    const nobody = await worldOf(clerk, [approval('a')], away);
    expect(await nobody.list()).not.toEqual(expect.arrayContaining(NAMES));
    expect((await nobody.call('approvals_list')).body.error?.code).toBe(-32602);
    const holder = await worldOf(finance1, [approval('a')], away);
    expect(await holder.list()).toEqual(expect.arrayContaining(NAMES));
    expect(told(await holder.call('approvals_list'))).toEqual([
      true,
      expect.stringContaining('cannot reach its database'),
    ]);
  });
});
