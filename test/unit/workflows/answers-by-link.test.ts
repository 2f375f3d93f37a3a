import { describe, expect, it } from '@jest/globals';
import type { Approval } from '../../../protocol/approval.ts';
import type { Decision } from '../../../protocol/decision.ts';
import { holderOf } from '../../../protocol/link-holder.ts';
import { seedState, toSnapshot } from '../../../protocol/task-state.ts';
import { ApprovalBook } from '../../../workflows/approvals.ts';
import { TaskRecord } from '../../../workflows/task-record.ts';
import { anApproval } from '../../support/an-approval.ts';

const DAY_MS = 86_400_000;
const link = { name: 'the candidate', mail: 'robin@example.com' };

function byLink(id: string, more: Partial<Approval['link']> = {}): Approval {
  return anApproval({ id, roles: [], link: { ...link, ...more }, dueAt: Date.now() + DAY_MS });
}

function yesTo(approvalId: string): Decision {
  return {
    taskId: 'T',
    approvalId,
    digest: 'd',
    person: holderOf(approvalId, link),
    roles: [],
    choice: 'approve',
    updateId: approvalId,
    decidedAt: Date.now(),
    byLink: true,
  };
}

/** As one activation judges what has come together, before anything else goes on. */
function judgeTogether(open: readonly Approval[], decisions: readonly Decision[]) {
  const state = seedState({ taskId: 'T', createdAt: 0, ttlMs: 10 ** 15, pollIntervalMs: 1_000 });
  const record = new TaskRecord(state, toSnapshot(state));
  for (const approval of open) record.apply({ type: 'approvalOpen', approval });
  const book = new ApprovalBook(record, { caller: 'ada', name: 'Ada', identity: undefined, maxTtlMs: 10 ** 15 });
  return { verdicts: decisions.map((decision) => book.judge(decision, Date.now())), left: record.state.approvals };
}

describe('answers by the links of one task that have come together', () => {
  it.each([
    ['offer', 'out'],
    ['out', 'offer'],
  ])('count once: %s before %s', (first, second) => {
    const open = [byLink('out', { isStanding: true }), byLink('offer'), anApproval({ id: 'panel' })];
    const { verdicts, left } = judgeTogether(open, [yesTo(first), yesTo(second)]);
    expect(verdicts[0]).toMatchObject({ counted: true, decided: { id: first, result: 'approved' } });
    expect(verdicts[1]).toMatchObject({
      counted: false,
      refusal: { code: 'decided', decided: { id: second, result: 'withdrawn' } },
    });
    // What people in the inbox decide is left alone.
    expect(left?.map(({ id }) => id)).toEqual(['panel']);
  });
});
