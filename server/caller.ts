/** Who is asking. A task belongs to its caller. */
import type { ClientFeatures } from '../protocol/input-feature.ts';

export interface Caller {
  /** HMAC of issuer and subject under `PRINCIPAL_KEY`: 32 hex digits. Safe in ids, logs and search attributes. */
  readonly principal: string;
}

/** What this one request declared; never remembered. Spec: `cap.per-request`. */
export interface Declared extends ClientFeatures {
  /** The Tasks extension. */
  readonly tasks: boolean;
}
