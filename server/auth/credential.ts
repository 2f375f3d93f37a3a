/** What the ways to sign in have in common. No token, and no part of one, is in anything that comes out of them. */
import type { Subject } from '../principal.ts';

/** What a credential is worth, once it is proven. */
export interface Credential extends Subject {
  readonly scopes: ReadonlySet<string>;
  /** When it is taken no longer, in epoch ms; absent where it does not expire. */
  readonly expiresAt?: number;
  /** That it brings; absent where it speaks for nobody whom an approval may ask. */
  readonly roles?: readonly string[];
}

export type CredentialFault =
  | {
      /** `expired`: it was good once, so a client may refresh it and go on. */
      readonly kind: 'invalid' | 'expired';
      /** For the client. */
      readonly text: string;
      /** For the log: which check failed, in words of a fixed set. */
      readonly reason: string;
    }
  /** Nobody can tell at the moment whether it is good. `cause` is for the log. */
  | { readonly kind: 'unavailable'; readonly text: string; readonly retryAfterMs: number; readonly cause: unknown };

export type Verdict = { readonly credential: Credential } | { readonly fault: CredentialFault };

export interface CredentialVerifier {
  /** By its looks alone, and by one verifier at most. */
  recognizes(token: string): boolean;
  /** Never throws for what a client sent. */
  verify(token: string): Promise<Verdict>;
}
