import type { Approval } from '../../protocol/approval.ts';

export const OPENED_AT = Date.UTC(2026, 0, 5);
/** How long it can be decided. */
export const OPEN_FOR_MS = 100 * 3_600_000;

/** One that waits for finance. */
export function anApproval(more: Partial<Approval> = {}): Approval {
  return {
    id: 'a',
    title: 'Order',
    amount: '10.00 EUR',
    details: { Secret: 'content' },
    reason: 'Policy',
    quorum: 1,
    rejectOptions: [],
    canRequestChanges: false,
    documents: [],
    requestedBy: 'somebody',
    roles: ['finance'],
    people: [],
    openedAt: OPENED_AT,
    dueAt: OPENED_AT + OPEN_FOR_MS,
    votes: [],
    ...more,
  };
}
