import type { ApprovalNeed } from '../activities/approval-matrix.ts';
import type { ZodInt, ZodOptional } from 'zod';
import type { Zod } from './tool.ts';

const MAX_DECIDE_SECONDS = 30 * 86_400;

/** The argument by which a caller of a tool says so. */
export function decideWithinSeconds(z: Zod): ZodOptional<ZodInt> {
  return z
    .int()
    .min(1)
    .max(MAX_DECIDE_SECONDS)
    .optional()
    .describe('How long approvers have, if that is less than the policy gives them');
}

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
