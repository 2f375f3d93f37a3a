import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatApiKey, mintApiKey, parseApiKey } from '../../../store/api-key-format.ts';

const key = { environment: 'live', keyId: '0123456789abcdef', secret: Buffer.alloc(32, 0xa5) };
const text = formatApiKey(key);
/** Of keys, and some more. */
const CHARACTERS = '0123456789abcdefglmpv_-A'.split('');

describe('an API key', () => {
  it('is written as mcp, environment, id, secret and checksum', () => {
    expect(text).toBe(`mcp_live_0123456789abcdef_${'a5'.repeat(32)}_b57888b8`);
  });

  it('is read as it was written', () => {
    expect(parseApiKey(text)).toEqual(key);
    const minted = mintApiKey('test');
    expect(parseApiKey(formatApiKey(minted))).toEqual(minted);
  });

  it('is refused when a single character differs', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...CHARACTERS), (at, character) => {
        const other = text.slice(0, at) + character + text.slice(at + 1);
        return other === text || parseApiKey(other) === undefined;
      }),
    );
  });

  it.each([
    ['empty', ''],
    ['cut off', text.slice(0, -1)],
    ['continued', `${text}0`],
    ['followed by a line end', `${text}\n`],
    ['in capitals', text.toUpperCase()],
    ['of another kind', text.replace('mcp_', 'key_')],
    ['without an environment', text.replace('_live_', '__')],
    ['very long', text.repeat(10_000)],
  ])('is refused when it is %s', (_, other) => {
    expect(parseApiKey(other)).toBeUndefined();
  });

  it('never comes twice', () => {
    const minted = Array.from({ length: 1_000 }, () => mintApiKey('live'));
    expect(new Set(minted.map(({ keyId }) => keyId)).size).toBe(1_000);
    expect(new Set(minted.map(({ secret }) => secret.toString('hex'))).size).toBe(1_000);
    expect(minted.every(({ secret }) => secret.length === 32)).toBe(true);
  });
});
