/** Who is asking. A task belongs to its caller. */
import type { Requester } from '../protocol/approval.ts';
import type { ClientFeatures } from '../protocol/input-feature.ts';

export interface Caller {
  /** HMAC of issuer, subject and tenant under the newest `PRINCIPAL_KEY`: 32 hex digits. Safe in ids, logs and search attributes. */
  readonly principal: string;
  /** The same under the key before, while there is one: tasks of that time are this caller's too. */
  readonly formerPrincipal?: string;
  /** Whose share of the server this request takes: a hash of the organisation; without one, of the caller alone. */
  readonly tenant: string;
  /** As other people read it: those who decide on this caller's tasks. */
  readonly displayName?: string;
  /** As the issuer names them: nobody decides on what they have asked for themselves, by whatever credential. In no log and no id. */
  readonly identity?: Requester;
  /** Absent for whoever is nobody that an approval may ask, such as a machine. */
  readonly approver?: ApproverClaims;
  /** What the credential was granted; `all` where nobody has to sign in. */
  readonly scopes: ReadonlySet<string> | 'all';
  /**
   * When the credential is taken no longer, in epoch ms, clock skew included: a stream ends then. A task does not. May be
   * farther away than a timer can reach.
   */
  readonly expiresAt?: number;
}

/** What a credential says to those who keep lists of approvers. It goes into no log and no id. */
export interface ApproverClaims {
  /** As the issuer of the inbox's sign-in names them. */
  readonly subject: string;
  /** That the credential itself brings, beside those of the list. */
  readonly roles: readonly string[];
}

/** Under which this caller's tasks may stand, the newest first. */
export function principalsOf({ principal, formerPrincipal }: Caller): readonly string[] {
  return formerPrincipal === undefined ? [principal] : [principal, formerPrincipal];
}

/** What this one request declared; never remembered. Spec: `cap.per-request`. */
export interface Declared extends ClientFeatures {
  /** The Tasks extension. */
  readonly tasks: boolean;
}
