/**
 * Ciphers with key and nonce in place before there is anything to encrypt. That takes as long as encrypting a payload does, and
 * nobody waits for it between two requests.
 */
import { createCipheriv, type CipherGCM } from 'node:crypto';
import type { EncryptionKey } from './key-ring.ts';
import { takeRandomBytes } from './random-pool.ts';

export const NONCE_BYTES = 12;
/** A task is started with four payloads. */
const READY = 8;

/** For one payload. */
export interface ReadyCipher {
  readonly nonce: Buffer;
  readonly cipher: CipherGCM;
}

const ready = new WeakMap<EncryptionKey, ReadyCipher[]>();

/**
 * Given out once, and so is its nonce.
 *
 * @param bound what is authenticated beside the payload: the same for all payloads under a key
 */
export function takeCipher(key: EncryptionKey, bound: Uint8Array): ReadyCipher {
  const own = ready.get(key);
  // When this turn of the event loop is over: in it the payload is sent.
  if (own === undefined || own.length === READY) setImmediate(fill, key, bound);
  return own?.pop() ?? setUp(key, bound);
}

function fill(key: EncryptionKey, bound: Uint8Array): void {
  const own = ready.get(key) ?? [];
  while (own.length < READY) own.push(setUp(key, bound));
  ready.set(key, own);
}

function setUp({ key }: EncryptionKey, bound: Uint8Array): ReadyCipher {
  const nonce = takeRandomBytes(NONCE_BYTES);
  return { nonce, cipher: createCipheriv('aes-256-gcm', key, nonce).setAAD(bound) };
}
