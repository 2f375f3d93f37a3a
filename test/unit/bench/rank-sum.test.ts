import { describe, expect, it } from '@jest/globals';
import { rankSumP } from '../../bench/rank-sum.ts';

const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

describe('the rank-sum test', () => {
  it('gives the textbook value for two samples that lie apart', () => {
    // U = 0 of 10 and 10: z = (50 - 0.5) / sqrt(175) = 3.7418.
    expect(rankSumP(upTo(10), upTo(10, 100))).toBeCloseTo(0.000183, 6);
  });

  it('gives the textbook value for samples with ties', () => {
    // Ranks 1, 3 ×3, 6 ×3, 8: U = 13 - 10; variance 16/12 × (9 - 48/56) = 10.857; z = 4.5 / 3.295 = 1.3657.
    expect(rankSumP([1, 2, 2, 3], [2, 3, 3, 4])).toBeCloseTo(0.17203, 4);
  });

  it('does not depend on the order of values or samples', () => {
    const [a, b] = [upTo(30), upTo(30, 5)];
    expect(rankSumP(a.toReversed(), b)).toBe(rankSumP(a, b));
    expect(rankSumP(b, a)).toBeCloseTo(rankSumP(a, b), 12);
  });

  it('sees nothing between a sample and itself, and a shift of a tenth among two thousand', () => {
    const sample = upTo(2_000).map((value) => value / 2_000);
    expect(rankSumP(sample, sample)).toBeCloseTo(1, 3);
    expect(rankSumP([1, 1, 1], [1, 1])).toBe(1);
    expect(
      rankSumP(
        sample,
        sample.map((value) => value + 0.1),
      ),
    ).toBeLessThan(1e-6);
  });

  it('compares nothing with nothing', () => {
    expect(() => rankSumP([], [1])).toThrow('nothing to compare');
  });
});
