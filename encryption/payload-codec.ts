/**
 * Payloads as Temporal keeps them: encrypted by AES-256-GCM, each under a nonce of its own, with the id of the key in
 * clear beside it. What is hidden is the whole payload, its metadata included.
 *
 * Payloads that nobody encrypted pass through, so that tasks from before encryption was switched on stay readable. A codec
 * keeps secrets; it does not prove who wrote a payload.
 */
import { createDecipheriv } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { EncryptionKey, KeyRing } from './key-ring.ts';
import { NONCE_BYTES, takeCipher } from './ready-ciphers.ts';

const ENCODING = 'binary/encrypted';
const CIPHER = 'AES-256-GCM';
const TAG_BYTES = 16;
/** Before the metadata: how long they are. */
const LENGTH_BYTES = 4;

const ENCODING_BYTES = Buffer.from(ENCODING);
const CIPHER_BYTES = Buffer.from(CIPHER);

/**
 * For every process that reads or writes payloads; none without a ring. Everything happens on this thread: for payloads of
 * this size a hop to another one costs more than the cipher.
 */
export function createPayloadCodecs(ring: KeyRing | undefined): PayloadCodec[] {
  if (ring === undefined) return [];
  return [
    {
      async encode(payloads) {
        return payloads.map((payload) => encrypt(ring.newest, payload));
      },
      async decode(payloads) {
        return payloads.map((payload) => (isEncrypted(payload) ? decrypt(ring, payload) : payload));
      },
    },
  ];
}

function isEncrypted({ metadata }: Payload): boolean {
  return textOf(metadata?.['encoding']) === ENCODING;
}

function encrypt(newest: EncryptionKey, payload: Payload): Payload {
  const { idBytes, bound } = clearOf(newest);
  const { nonce, cipher } = takeCipher(newest, bound);
  const hidden = cipher.update(framed(payload));
  return {
    metadata: { encoding: ENCODING_BYTES, 'encryption-cipher': CIPHER_BYTES, 'encryption-key-id': idBytes },
    data: Buffer.concat([nonce, hidden, cipher.final(), cipher.getAuthTag()]),
  };
}

/** @throws Error that names the key id, when there is no such key or it does not open the payload */
function decrypt(ring: KeyRing, { metadata, data }: Payload): Payload {
  const id = textOf(metadata?.['encryption-key-id']);
  const found = ring.find(id);
  if (found === undefined) {
    throw new Error(`A payload is encrypted under the key "${id}", which is not in ENCRYPTION_KEYS.`);
  }
  const bytes = toBuffer(data ?? new Uint8Array());
  try {
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(clearOf(found).bound).setAuthTag(bytes.subarray(-TAG_BYTES));
    const open = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return unframed(Buffer.concat([open, decipher.final()]));
  } catch (error) {
    throw new Error(`The key "${id}" does not open a payload: it was changed, or the key is another one of that id.`, {
      cause: error,
    });
  }
}

/** What stands in clear beside each payload under a key, which is the same each time. */
interface ClearParts {
  readonly idBytes: Buffer;
  /** To it what is encrypted is bound. */
  readonly bound: Buffer;
}

const clearParts = new WeakMap<EncryptionKey, ClearParts>();

function clearOf(key: EncryptionKey): ClearParts {
  const known = clearParts.get(key);
  if (known !== undefined) return known;
  const { id } = key;
  const made = { idBytes: Buffer.from(id), bound: Buffer.from(JSON.stringify([ENCODING, CIPHER, id])) };
  clearParts.set(key, made);
  return made;
}

function framed({ metadata, data }: Payload): Buffer {
  const head = headOf(metadata ?? {});
  return data == null ? head : Buffer.concat([head, data]);
}

/** Of metadata that cannot change. */
const heads = new WeakMap<object, Buffer>();

/** The metadata as text, behind its length. */
function headOf(metadata: NonNullable<Payload['metadata']>): Buffer {
  const known = heads.get(metadata);
  if (known !== undefined) return known;
  const entries = Object.entries(metadata).map(([name, value]) => [name, toBuffer(value).toString('base64')]);
  const written = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(written.length);
  const head = Buffer.concat([length, written]);
  if (Object.isFrozen(metadata)) heads.set(metadata, head);
  return head;
}

function unframed(bytes: Buffer): Payload {
  const dataAt = LENGTH_BYTES + bytes.readUInt32BE();
  const written = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, dataAt)) as Record<string, string>;
  const entries = Object.entries(written).map(([name, value]) => [name, Buffer.from(value, 'base64')]);
  return { metadata: Object.fromEntries(entries) as Record<string, Uint8Array>, data: bytes.subarray(dataAt) };
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes == null ? '' : toBuffer(bytes).toString('utf8');
}

/** A view, not a copy. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
