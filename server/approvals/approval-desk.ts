/** What the front needs of whoever keeps tasks, to have other people decide on them. */
import type { Approval, DecidedApproval } from '../../protocol/approval.ts';
import type { Caller } from '../caller.ts';
import type { DecisionVerdict, SignedDecision } from '../../protocol/decision.ts';

/** One task, as those who decide on it may see it. */
export interface ApprovalCase {
  readonly workflowId: string;
  readonly taskId: string;
  readonly tool: string;
  /** Hash of the task's caller, who decides nothing here. */
  readonly requester: string;
  /** Those that wait for people. None once the task is over. */
  readonly open: readonly Approval[];
  readonly decided: readonly DecidedApproval[];
  readonly isOver: boolean;
  /** Epoch ms; what is asked meanwhile may move it. */
  readonly deadlineAt: number;
}

export type DecisionAnswer =
  | DecisionVerdict
  /** Sent; whether it counts is not known yet. The same decision may be sent again, under the same update id. */
  | 'unconfirmed';

export interface ApprovalDesk {
  /** `undefined`: no such task, or one that is no longer kept. @throws StoreUnavailable */
  read(workflowId: string): Promise<ApprovalCase | undefined>;
  /** As `read`, of a task of this caller. @throws StoreUnavailable */
  readOwn(caller: Caller, taskId: string): Promise<ApprovalCase | undefined>;
  /** Waits a few seconds for the verdict. @throws StoreUnavailable when it came too late, and who was faster cannot be read */
  decide(workflowId: string, signed: SignedDecision): Promise<DecisionAnswer>;
  /** What became of a decision that was sent; decides nothing. `undefined`: nothing is known of it. */
  verdictOf(workflowId: string, updateId: string): Promise<DecisionAnswer | undefined>;
}
