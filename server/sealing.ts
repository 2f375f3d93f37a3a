/**
 * Small values that pass through a client, who can neither read nor change them. The client gets one text; whoever opens
 * it has to name the same owner, or it does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Caller } from './caller.ts';
import type { PrincipalRing } from './principal.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  /** `context`: what else the text is bound to and does not contain. `expiresAt`: epoch ms. */
  seal(value: unknown, owner: Owner, expiresAt: number, context?: string): string;
  /**
   * `undefined` for whatever is not exactly what `seal` made for `owner`, or has expired; it does not say which. What was
   * sealed under the former key of the ring opens as well.
   */
  open(text: string, owner: Owner, now: number, context?: string): unknown;
}

export type Owner = Pick<Caller, 'principal' | 'formerPrincipal'>;

/** A text sealed for one purpose does not open for another, although the secret is the same. */
export function createSealing([newest, former]: PrincipalRing, purpose: string): Sealing {
  const key = keyFor(newest, purpose);
  const formerKey = former && keyFor(former, purpose);
  return {
    seal(value, { principal }, expiresAt, context = '') {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bindingOf(principal, context));
      const hidden = cipher.update(JSON.stringify({ value, expiresAt }), 'utf8');
      return Buffer.concat([nonce, hidden, cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(text, { principal, formerPrincipal }, now, context = '') {
      const bytes = Buffer.from(text, 'base64url');
      // The decoder skips what is no base64url: only one spelling of a text may open.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
      const plain =
        decrypted(key, bytes, bindingOf(principal, context)) ??
        (formerKey && formerPrincipal && decrypted(formerKey, bytes, bindingOf(formerPrincipal, context)));
      if (plain === undefined) return undefined;
      const { value, expiresAt } = JSON.parse(plain) as { value: unknown; expiresAt: number };
      return now < expiresAt ? value : undefined;
    },
  };
}

function keyFor(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `seal/${purpose}`, KEY_BYTES));
}

function bindingOf(...parts: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(parts));
}

function decrypted(key: Uint8Array, bytes: Buffer, context: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(context).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
