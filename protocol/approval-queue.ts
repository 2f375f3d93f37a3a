/**
 * What waits for whom, as the store keeps it: a projection that finds rows fast and is never believed. Who shows a row checks it
 * against the task; a reconciler makes the projection anew.
 */
import type { AskedPeople, Requester } from './approval.ts';

export interface QueuedApproval {
  readonly approvalId: string;
  readonly workflowId: string;
  readonly tool: string;
  readonly title: string;
  readonly amount: string | undefined;
  readonly requestedBy: string;
  /** Of whose organisation those who are asked are. */
  readonly requester: Pick<Requester, 'organisation'>;
  readonly roles: readonly string[];
  /** Asked by name: subjects. */
  readonly people: readonly string[];
  readonly openedAt: Date;
  readonly dueAt: Date;
  /** Who has said that they look at it. */
  readonly claimedBy: string | undefined;
}

/** For whom: subjects of people, and roles that they hold. */
export interface Asked {
  /** Theirs, where the issuer tells several apart. */
  readonly organisation?: string | undefined;
  readonly subjects: readonly string[];
  readonly roles: readonly string[];
}

export interface ApprovalQueue {
  /** Those that are due first, first; after the row that `after` names. @throws StoreDown */
  list(
    asked: Asked,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<readonly QueuedApproval[]>;
  find(approvalId: string): Promise<QueuedApproval | undefined>;
  /** @returns whether it is theirs now; not when somebody else has claimed it */
  claim(approvalId: string, subject: string): Promise<boolean>;
  /** @returns whether it was theirs */
  release(approvalId: string, subject: string): Promise<boolean>;
  /** Puts right what a look at the task has shown to be stale. A row of the last seconds stays: its task may not show it yet. */
  remove(approvalId: string): Promise<void>;
}

/** That something of a row is new: who waits, who looks at it, a vote, its end. What it is, the task tells. */
export interface ApprovalChange extends AskedPeople {
  readonly approvalId: string;
  /** Another one for the next change of the same approval. */
  readonly changeId: string;
}

export interface ApprovalChanges {
  /** The last one of each approval, out of at least the last ten seconds, in no order. @throws StoreDown */
  recent(): Promise<readonly ApprovalChange[]>;
}
