import { describe, expect, it } from '@jest/globals';
import { takeRandomBytes } from '../../../encryption/random-pool.ts';

describe('random bytes of the pool', () => {
  it.each([1, 12, 16, 4_096, 5_000])('are as many as asked for: %p', (size) => {
    expect(takeRandomBytes(size)).toHaveLength(size);
  });

  it('are given out once, across many pools, and stay as they were given', () => {
    const pieces = Array.from({ length: 5_000 }, () => takeRandomBytes(12));
    const texts = pieces.map((piece) => piece.toString('hex'));
    expect(new Set(texts).size).toBe(pieces.length);
    expect(pieces.map((piece) => piece.toString('hex'))).toEqual(texts);
  });

  it('do not overlap', () => {
    const [first, second] = [takeRandomBytes(16), takeRandomBytes(16)];
    const before = Buffer.from(second);
    first.fill(0);
    expect(second.equals(before)).toBe(true);
  });
});
