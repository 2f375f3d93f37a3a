import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { newKeyRingText, parseKeyRing } from '../../../encryption/key-ring.ts';

const base64 = (byte: string, length = 32): string => Buffer.alloc(length, byte).toString('base64');
const A = `a:${base64('a')}`;
const B = `b:${base64('b')}`;

describe('parseKeyRing', () => {
  it.each([`${A},${B}`, `${A}\n${B}\n`, ` ${A} ,\n ${B}`])('takes the first key for the newest: %j', (text) => {
    const ring = parseKeyRing(text);
    expect(ring.newest.id).toBe('a');
    expect(ring.newest.key.export()).toEqual(Buffer.alloc(32, 'a'));
    expect(ring.find('b')?.key.export()).toEqual(Buffer.alloc(32, 'b'));
    expect(ring.find('c')).toBeUndefined();
  });

  it('prints nothing of a key', () => {
    expect(inspect(parseKeyRing(A), { depth: 9, showHidden: true })).not.toContain(base64('a').slice(0, 8));
  });

  it.each([
    ['', 'holds no key'],
    [base64('a'), 'entry 1 does not begin with an id and a colon'],
    [`${A},a b:${base64('b')}`, 'entry 2 does not begin with an id'],
    [`:${base64('b')}`, 'entry 1 does not begin with an id'],
    [`${'i'.repeat(65)}:${base64('b')}`, 'entry 1 does not begin with an id'],
    [`short:${base64('b', 31)}`, 'the key "short" is not base64 of exactly 32 bytes'],
    [`long:${base64('b', 33)}`, 'the key "long" is not base64'],
    [`odd:${base64('b')}!`, 'the key "odd" is not base64'],
    [`${A},a:${base64('b')}`, 'two keys of the same id'],
  ])('refuses %j and says why, without a key', (text, words) => {
    const read = (): unknown => parseKeyRing(text);
    expect(read).toThrow(words);
    expect(read).not.toThrow(/YWFhYWFh|YmJiYmJi/);
  });
});

describe('newKeyRingText', () => {
  it('is a ring of one key, and never the same twice', () => {
    const [first, second] = [parseKeyRing(newKeyRingText()), parseKeyRing(newKeyRingText())];
    expect(first.newest.id).not.toBe(second.newest.id);
    expect(first.newest.key.equals(second.newest.key)).toBe(false);
  });
});
