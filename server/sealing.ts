/**
 * Small values that pass through a client, who can neither read nor change them. The client gets one text; whoever opens
 * it has to name the same owner, or it does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealing {
  /** `owner`: what the text is bound to and does not contain, such as a principal. */
  seal(value: unknown, owner: readonly string[], expiresAt: number): string;
  /** `undefined` for whatever is not exactly what `seal` made for `owner`, or has expired; it does not say which. */
  open(text: string, owner: readonly string[], now: number): unknown;
}

/** A text sealed for one purpose does not open for another, although the secret is the same. */
export function createSealing(secret: Uint8Array, purpose: string): Sealing {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `seal/${purpose}`, KEY_BYTES));
  const contextOf = (owner: readonly string[]): Buffer => Buffer.from(JSON.stringify(owner));
  return {
    seal(value, owner, expiresAt) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(contextOf(owner));
      const hidden = cipher.update(JSON.stringify({ value, expiresAt }), 'utf8');
      return Buffer.concat([nonce, hidden, cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(text, owner, now) {
      const bytes = Buffer.from(text, 'base64url');
      // The decoder skips what is no base64url: only one spelling of a text may open.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
      const plain = decrypted(key, bytes, contextOf(owner));
      if (plain === undefined) return undefined;
      const { value, expiresAt } = JSON.parse(plain) as { value: unknown; expiresAt: number };
      return now < expiresAt ? value : undefined;
    },
  };
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
