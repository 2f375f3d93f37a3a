/** How an approval stands for whoever holds its link. */
import { digestOf } from '../../encryption/decision-signing.ts';
import { shownText, type Approval, type DecidedApproval } from '../../protocol/approval.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { OpenedLink } from './links.ts';

export type LinkLook =
  | { readonly kind: 'open'; readonly approval: Approval }
  | { readonly kind: 'decided'; readonly decided: DecidedApproval }
  /** Nobody has answered in time. */
  | { readonly kind: 'expired' }
  /** The task has ended without it. */
  | { readonly kind: 'over' };

/** `undefined`: the task is no longer kept, or never asked this. @throws StoreUnavailable */
export async function lookByLink(
  desk: Pick<ApprovalDesk, 'read'>,
  { workflowId, taskId, approvalId, digest }: OpenedLink,
  now: number,
): Promise<LinkLook | undefined> {
  const found = await desk.read(workflowId);
  if (found?.taskId !== taskId) return undefined;
  const decided = found.decided.find(({ id }) => id === approvalId);
  if (decided !== undefined) return decided.result === 'expired' ? { kind: 'expired' } : { kind: 'decided', decided };
  const approval = found.open.find(({ id }) => id === approvalId);
  if (approval === undefined) return found.isOver ? { kind: 'over' } : undefined;
  if (digestOf(shownText(taskId, found.tool, approval)) !== digest) return undefined;
  // No worker may have come by since to say so.
  return approval.dueAt <= now ? { kind: 'expired' } : { kind: 'open', approval };
}
