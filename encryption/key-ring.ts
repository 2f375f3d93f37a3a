/** The keys under which payloads are encrypted: the newest encrypts, all of them decrypt. */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;
const BASE64_PATTERN = /^[A-Za-z0-9+/_-]+={0,2}$/;

export interface EncryptionKey {
  /** Stands in clear beside whatever it encrypts, and in errors. */
  readonly id: string;
  /** 32 bytes. An object that prints nothing of them. */
  readonly key: KeyObject;
}

export interface KeyRing {
  readonly newest: EncryptionKey;
  find(id: string): EncryptionKey | undefined;
}

/**
 * `id:base64`, newest first, separated by commas or white space.
 * @throws Error that says which entry is wrong, by its place or id, and holds nothing of a key
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const keys = entries.map(parseKey);
  const [newest] = keys;
  if (newest === undefined) throw new Error('holds no key; write id:base64, with 32 bytes behind the colon');
  const byId = new Map(keys.map((key) => [key.id, key]));
  if (byId.size < keys.length) throw new Error('holds two keys of the same id; give each key an id of its own');
  return { newest, find: (id) => byId.get(id) };
}

/** The text of a ring with one new key, whose id no other ring has. */
export function newKeyRingText(): string {
  return `k${randomBytes(6).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}\n`;
}

function parseKey(entry: string, index: number): EncryptionKey {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, Math.max(colon, 0));
  // An entry without a usable id may be nothing but a key: only its place is told.
  if (!ID_PATTERN.test(id)) {
    throw new Error(
      `entry ${String(index + 1)} does not begin with an id and a colon; ` +
        'an id is up to 64 letters, digits, dots, dashes and underscores',
    );
  }
  const written = entry.slice(colon + 1);
  const bytes = BASE64_PATTERN.test(written) ? Buffer.from(written, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) {
    throw new Error(
      `the key "${id}" is not base64 of exactly ${String(KEY_BYTES)} bytes; openssl rand -base64 32 makes one`,
    );
  }
  return { id, key: createSecretKey(bytes) };
}
