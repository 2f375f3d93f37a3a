import { describe, expect, it } from '@jest/globals';
import type { Delegation, DelegationBook } from '../../../../protocol/delegation.ts';
import { callerOf, type PrincipalRing } from '../../../../server/principal.ts';
import { standInsOf } from '../../../../server/inbox/stand-ins.ts';

const NOW = Date.UTC(2026, 7, 3);
const ring: PrincipalRing = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const from = { issuer: 'https://login.example.com', subject: 'finance-1', name: 'Finance 1' };
const delegation: Delegation = {
  id: 'one',
  from,
  to: 'clerk-1',
  fromAt: NOW - 1,
  untilAt: NOW + 1,
  createdAt: NOW - 1,
};
const delegate = { issuer: from.issuer, subject: 'clerk-1' };
const list = [
  { subject: 'finance-1', name: 'Finance One', roles: ['finance', 'board'] },
  { subject: 'clerk-1', name: 'C', roles: [] },
];

function book(received: readonly Delegation[]): DelegationBook {
  return {
    give: async () => undefined,
    givenBy: async () => [],
    receivedBy: async () => received,
    revoke: async () => undefined,
  };
}

const read = (one: Partial<Delegation> = {}, approvers = list): ReturnType<typeof standInsOf> =>
  standInsOf(
    { delegations: book([{ ...delegation, ...one }]), principalRing: ring, approvers: async () => approvers },
    delegate,
    NOW,
  );

describe('standInsOf', () => {
  it('knows the delegator under each key of the ring, so that a new key makes nobody a stranger to their request', async () => {
    const { principal, formerPrincipal } = callerOf(ring, from, { scopes: 'all' });
    expect(await read()).toEqual([
      {
        delegationId: 'one',
        person: { principals: [principal, formerPrincipal], subject: 'finance-1', name: 'Finance One' },
        roles: ['board', 'finance'],
      },
    ]);
  });

  it('leaves of the roles the one that was delegated', async () => {
    expect(await read({ role: 'board' })).toEqual([expect.objectContaining({ roles: ['board'], role: 'board' })]);
  });

  it.each([
    ['that has not begun', { fromAt: NOW + 1 }, list],
    ['of a role that the delegator has no longer', { role: 'it' }, list],
    ['of a delegator who is not in the list', {}, list.slice(1)],
    ['to somebody who is not in the list', {}, list.slice(0, 1)],
  ])('knows none %s', async (_what, one, approvers) => {
    expect(await read(one, approvers)).toEqual([]);
  });

  it('reads no list for somebody to whom nothing was delegated', async () => {
    const approvers = async (): Promise<never> => {
      throw new Error('the list was read');
    };
    expect(await standInsOf({ delegations: book([]), principalRing: ring, approvers }, delegate, NOW)).toEqual([]);
    expect(await standInsOf({ principalRing: ring, approvers }, delegate, NOW)).toEqual([]);
  });
});
