import type { ApprovalChanges, ApprovalQueue } from '../../protocol/approval-queue.ts';
import type { Delegation, DelegationBook, SignedIn } from '../../protocol/delegation.ts';
import type { Approver } from '../inbox/approvers.ts';
import type { StandIn } from '../inbox/stand-in.ts';
import type { ApprovalHistory } from './approval-history.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { AuditTrail } from './audit-trail.ts';

/** What waits for whom, and who they are: for whatever shows people what is theirs to decide. */
export interface ApprovalSource {
  readonly desk: ApprovalDesk;
  /** Absent without a database. */
  readonly queue: ApprovalQueue | undefined;
  /** Absent without a database. */
  readonly changes?: ApprovalChanges | undefined;
  /** Absent without a database. */
  readonly audit: AuditTrail | undefined;
  /** Absent without a database. */
  readonly history?: ApprovalHistory | undefined;
  /** Absent without a database. */
  readonly delegations?: DelegationBook | undefined;
  /** As they are at this moment. @throws ApproversFault */
  readonly approvers: () => Promise<readonly Approver[]>;
}

/** For those who read over MCP, and decide elsewhere. */
export interface ReadableApprovals extends ApprovalSource {
  /** For whom somebody of the issuer of the inbox stands in at this moment. @throws StoreDown, ApproversFault */
  readonly standInsOf?: (visitor: Omit<SignedIn, 'issuer'>) => Promise<readonly StandIn[]>;
  /** What somebody of the issuer of the inbox has signed over, and is in force. @throws StoreDown */
  readonly signedOver?: (delegator: Omit<SignedIn, 'issuer'>) => Promise<readonly Delegation[]>;
  /** Where people reach the inbox: a URL of that origin. */
  readonly inboxUrl: () => URL;
}
