import { createDecipheriv } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { parseKeyRing, type EncryptionKey } from '../../../encryption/key-ring.ts';
import { NONCE_BYTES, takeCipher } from '../../../encryption/ready-ciphers.ts';

const BOUND = Buffer.from('bound');

function keyOf(byte: number): EncryptionKey {
  return parseKeyRing(`k:${Buffer.alloc(32, byte).toString('base64')}`).newest;
}

function sealed(key: EncryptionKey, text: string): { nonce: Buffer; hidden: Buffer; tag: Buffer } {
  const { nonce, cipher } = takeCipher(key, BOUND);
  return { nonce, hidden: Buffer.concat([cipher.update(text), cipher.final()]), tag: cipher.getAuthTag() };
}

function opened({ key }: EncryptionKey, { nonce, hidden, tag }: ReturnType<typeof sealed>): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(BOUND).setAuthTag(tag);
  return Buffer.concat([decipher.update(hidden), decipher.final()]).toString();
}

describe('ciphers that are set up before they are needed', () => {
  it('are given out once, however many are taken in how many turns', async () => {
    const key = keyOf(1);
    const taken = [];
    for (const count of [1, 3, 8, 9, 50, 1, 1]) {
      taken.push(...Array.from({ length: count }, () => takeCipher(key, BOUND)));
      await turn();
    }
    expect(taken).toHaveLength(73);
    expect(new Set(taken.map(({ cipher }) => cipher)).size).toBe(73);
    expect(new Set(taken.map(({ nonce }) => nonce.toString('hex'))).size).toBe(73);
    expect(taken.every(({ nonce }) => nonce.length === NONCE_BYTES)).toBe(true);
  });

  it('are of the key that they are taken for, also of keys with the same id', async () => {
    const [one, other] = [keyOf(1), keyOf(2)];
    for (let round = 0; round < 20; round += 1) {
      const [first, second] = [sealed(one, `one ${String(round)}`), sealed(other, `other ${String(round)}`)];
      expect([opened(one, first), opened(other, second)]).toEqual([`one ${String(round)}`, `other ${String(round)}`]);
      expect(() => opened(other, first)).toThrow(/authenticate/);
      if (round % 3 === 0) await turn();
    }
  });
});
