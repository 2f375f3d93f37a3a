/**
 * API keys, held against what the store keeps of them. A record is remembered for `RECORD_TTL_MS`, so that a client that
 * polls costs no query each time: a revoked key is good for that long yet, in each front.
 */
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { parseApiKey } from '../../store/api-key-format.ts';
import { hashApiKeySecret } from '../../store/api-key-hash.ts';
import type { ApiKeyRecord } from '../../store/api-keys.ts';
import { LAST_USED_STEP_MS } from '../../store/last-used-step.ts';
import type { Log } from '../log.ts';
import type { CredentialVerifier, Verdict } from './credential.ts';

/** As much of the store as signing in takes. */
export interface ApiKeyRecords {
  /** Also a revoked or expired one. @throws while the store is down */
  find(keyId: string): Promise<ApiKeyRecord | undefined>;
  /** Notes that the key was used. */
  touch(keyId: string): Promise<void>;
}

export interface ApiKeyVerifierOptions {
  readonly records: ApiKeyRecords;
  /** Under which the store hashed the secrets. */
  readonly pepper: Buffer;
  readonly log: Pick<Log, 'warn'>;
  /** Default `RECORD_TTL_MS`. */
  readonly recordTtlMs?: number;
}

export const RECORD_TTL_MS = 5_000;
/** Of a principal that signs in by API key. */
export const API_KEY_ISSUER = 'api-key';

const MAX_RECORDS = 10_000;
const NO_HASH = Buffer.alloc(32);
const RETRY_AFTER_MS = 5_000;
const UNAVAILABLE_TEXT = 'The API key cannot be checked at the moment. Try again in a few seconds.';
const EXPIRED_TEXT = 'The API key has expired.';
/** The same words for an unknown key, a wrong secret and a revoked key: nothing to probe. */
const INVALID_TEXT = 'The API key is not valid here.';

export function createApiKeyVerifier(options: ApiKeyVerifierOptions): CredentialVerifier {
  const { records, pepper, log, recordTtlMs = RECORD_TTL_MS } = options;
  // What is not there is not remembered: a key works from the moment on that it was made.
  const cache = new LRUCache<string, ApiKeyRecord>({
    max: MAX_RECORDS,
    ttl: recordTtlMs,
    fetchMethod: (keyId) => records.find(keyId),
  });

  function noteUse(record: ApiKeyRecord): void {
    const now = Date.now();
    if (now - (record.lastUsedAt ?? 0) < LAST_USED_STEP_MS) return;
    cache.set(record.keyId, { ...record, lastUsedAt: now }, { noUpdateTTL: true });
    records.touch(record.keyId).catch((error: unknown) => log.warn({ err: error }, 'the use of a key is not noted'));
  }

  return {
    recognizes: (token) => token.startsWith('mcp_'),
    async verify(token) {
      const key = parseApiKey(token);
      if (key === undefined) return invalid('checksum');
      let record: ApiKeyRecord | undefined;
      try {
        record = await cache.fetch(key.keyId);
      } catch (cause) {
        return { fault: { kind: 'unavailable', text: UNAVAILABLE_TEXT, retryAfterMs: RETRY_AFTER_MS, cause } };
      }
      // Also without a record, so that an unknown key takes as long as a wrong secret.
      const isRight = timingSafeEqual(record?.secretHash ?? NO_HASH, hashApiKeySecret(pepper, key.secret));
      if (record === undefined || !isRight) return invalid('secret');
      const verdict = judge(record);
      if ('credential' in verdict) noteUse(record);
      return verdict;
    },
  };
}

function judge({ subject, tenant, scopes, expiresAt, revokedAt }: ApiKeyRecord): Verdict {
  if (revokedAt !== undefined) return invalid('revoked');
  if (expiresAt !== undefined && Date.now() >= expiresAt) {
    return { fault: { kind: 'expired', text: EXPIRED_TEXT, reason: 'expired' } };
  }
  return { credential: { issuer: API_KEY_ISSUER, subject, tenant, scopes: new Set(scopes), expiresAt } };
}

function invalid(reason: string): Verdict {
  return { fault: { kind: 'invalid', text: INVALID_TEXT, reason } };
}
