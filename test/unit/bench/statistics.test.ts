import { describe, expect, it } from '@jest/globals';
import { percentile, summarize, toRow } from '../../bench/statistics.ts';

describe('a percentile', () => {
  it('is a value that was measured, by nearest rank', () => {
    const values = [40, 10, 30, 20];
    expect([0, 25, 50, 51, 99, 100].map((percent) => percentile(values, percent))).toEqual([10, 10, 20, 30, 40, 40]);
  });

  it('of one value is that value', () => {
    expect(percentile([7], 50)).toBe(7);
    expect(percentile([7], 99)).toBe(7);
  });

  it('of no values is an error', () => {
    expect(() => percentile([], 50)).toThrow('no values');
  });
});

describe('a summary', () => {
  it('counts calls a second over the time of all rounds, not over the sum of the calls', () => {
    const series = { durationsMs: Array.from({ length: 100 }, (_, index) => index + 1), elapsedMs: 500 };
    expect(summarize(series)).toEqual({ p50Ms: 50, p99Ms: 99, perSecond: 200 });
  });
});

describe('a row', () => {
  it('holds the ratios of ours to the raw call', () => {
    const ours = { durationsMs: [3, 3, 3], elapsedMs: 9 };
    const raw = { durationsMs: [2, 2, 2], elapsedMs: 6 };
    expect(toRow({ op: 'create', store: 'memory', inFlight: 1 }, ours, raw)).toEqual({
      op: 'create',
      store: 'memory',
      inFlight: 1,
      ours: { p50Ms: 3, p99Ms: 3, perSecond: 333.33 },
      raw: { p50Ms: 2, p99Ms: 2, perSecond: 500 },
      ratioP50: 1.5,
      ratioRate: 0.67,
    });
  });
});
