import type { Hono } from 'hono';
import type { Log } from '../log.ts';
import type { PrincipalRing } from '../principal.ts';
import type { Approver } from './approvers.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { Sessions } from './session.ts';

/** What signing in stands on. */
export interface SignInParts {
  readonly principalRing: PrincipalRing;
  /** As they are at this moment. @throws ApproversFault */
  readonly approvers: () => Promise<readonly Approver[]>;
  /** People reach the inbox by https. */
  readonly isSecure: boolean;
  readonly log: Log;
}

/** The pages by which somebody signs in: they stand in front of all others, and start a session. */
export type SignInPages = (app: Hono<InboxEnv>, parts: SignInParts, sessions: Sessions) => void;
