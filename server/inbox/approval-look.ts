/** One approval, as somebody may see it: who is asked and who asks. */
import type { Approval, DecidedApproval } from '../../protocol/approval.ts';
import type { ApprovalCase } from '../approvals/approval-desk.ts';
import type { PageParts } from './parts.ts';
import { mayLook, standingOf, type Standing } from './standing.ts';
import type { Visitor } from './visitor.ts';

export interface OpenLook extends Standing {
  readonly kind: 'open';
  readonly found: ApprovalCase;
  readonly approval: Approval;
  readonly claimedBy: string | undefined;
}

export interface DecidedLook extends Pick<OpenLook, 'found'> {
  readonly kind: 'decided';
  readonly decided: DecidedApproval;
}

export type ApprovalLook = OpenLook | DecidedLook;

/** `undefined`: unknown, or nothing to the visitor. @throws StoreDown, StoreUnavailable */
export async function lookAtApproval(
  { queue, desk }: Pick<PageParts, 'queue' | 'desk'>,
  visitor: Visitor,
  approvalId: string,
): Promise<ApprovalLook | undefined> {
  const row = await queue.find(approvalId);
  if (row === undefined) return undefined;
  const found = await desk.read(row.workflowId);
  if (found === undefined) return undefined;
  const approval = found.open.find(({ id }) => id === approvalId);
  // The projection may lag behind an escalation: who is asked is what Temporal says, as long as it is open.
  if (!mayLook(visitor, approval ?? row, found.requester)) return undefined;
  if (approval !== undefined) {
    const standing = standingOf(visitor, approval, found.requester);
    return standing && { kind: 'open', found, approval, claimedBy: row.claimedBy, ...standing };
  }
  const decided = found.decided.find(({ id }) => id === approvalId);
  return decided && { kind: 'decided', found, decided };
}
