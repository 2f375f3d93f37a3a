import type { ApprovalNeed } from '../activities/approval-matrix.ts';

/** A caller may want it sooner than the policy, never later: reminders and escalations move with the deadline. */
export function hurriedNeed(need: ApprovalNeed, decideWithinMs: number | undefined): ApprovalNeed {
  const share = Math.min((decideWithinMs ?? need.withinMs) / need.withinMs, 1);
  return {
    ...need,
    withinMs: need.withinMs * share,
    remindAfterMs: need.remindAfterMs.map((afterMs) => afterMs * share),
    escalations: need.escalations.map(({ afterMs, role }) => ({ afterMs: afterMs * share, role })),
  };
}
