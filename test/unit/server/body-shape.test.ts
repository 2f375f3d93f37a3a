import { describe, expect, it } from '@jest/globals';
import { faultOfShape } from '../../../server/body-shape.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const listOf = (count: number): string => `[${Array.from({ length: count }, () => '{}').join(',')}]`;

describe('faultOfShape', () => {
  it('takes 64 levels and no more', () => {
    expect(faultOfShape(nested(64))).toBeUndefined();
    expect(faultOfShape(nested(65))).toBe('is nested more than 64 levels deep');
    expect(faultOfShape('{"a":['.repeat(33))).toBe('is nested more than 64 levels deep');
  });

  it('takes 10,000 values and no more, wherever they stand', () => {
    expect(faultOfShape(listOf(10_000))).toBeUndefined();
    expect(faultOfShape(listOf(10_001))).toBe('holds more than 10000 values');
    expect(faultOfShape(`{"a":${listOf(6_000)},"b":${listOf(6_000)}}`)).toBe('holds more than 10000 values');
  });

  it('counts nothing that stands in a text', () => {
    expect(faultOfShape(JSON.stringify({ a: `${'[{,'.repeat(20_000)}"\\` }))).toBeUndefined();
    expect(faultOfShape(JSON.stringify(['\\', '"', ']]]]']))).toBeUndefined();
  });

  it('counts levels that close and open again as one', () => {
    expect(faultOfShape(`[${Array.from({ length: 1_000 }, () => nested(10)).join(',')}]`)).toBeUndefined();
  });
});
