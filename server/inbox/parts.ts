import type { Decision, SignedDecision } from '../../protocol/decision.ts';
import type { BlobStore } from '../../store/blobs.ts';
import type { ApprovalSource } from '../approvals/approval-source.ts';
import type { ApprovalQueue } from '../../protocol/approval-queue.ts';
import type { TaskStore } from '../task-store.ts';
import type { LiveLimits } from './live-streams.ts';
import type { Links } from './links.ts';
import type { Sessions } from './session.ts';
import type { SignInPages, SignInParts } from './sign-in.ts';
import type { Tickets } from './tickets.ts';

/** What the inbox stands on. */
export interface InboxParts extends SignInParts, ApprovalSource {
  readonly tasks: TaskStore;
  readonly blobs: BlobStore;
  readonly links: Links;
  /** The links go out by mail; else whoever has asked passes them on. */
  readonly mailsLinks: boolean;
  readonly sign: (decision: Decision) => SignedDecision;
  readonly signIn: SignInPages;
  /** Who names the people that sign in; `local` where nobody has to prove who they are. */
  readonly issuer: string;
  /** Where they are not those that a front has. */
  readonly liveLimits?: Partial<LiveLimits> | undefined;
}

/** What a page for somebody who has signed in stands on. */
export interface PageParts extends InboxParts {
  readonly queue: ApprovalQueue;
  readonly sessions: Sessions;
  readonly tickets: Tickets;
}
