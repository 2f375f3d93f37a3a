import { describe, expect, it } from '@jest/globals';
import { isAbove, isEqual, lineAmount, minorUnitsOf, sum } from '../../../activities/money.ts';

describe('minorUnitsOf', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['eur', undefined],
    ['ZZZ', undefined],
  ])('knows %s', (currency, minorUnits) => {
    expect(minorUnitsOf(currency)).toBe(minorUnits);
  });
});

describe('amounts', () => {
  it('are compared as decimals, never as doubles', () => {
    expect(isAbove('5000.0000000000001', '5000')).toBe(true);
    expect(isEqual('0.3', sum(['0.1', '0.2'], 2))).toBe(true);
  });

  it('are rounded half up, a line at a time', () => {
    expect(lineAmount('1', '0.005', 2)).toBe('0.01');
    expect(lineAmount('3', '33.333', 2)).toBe('100.00');
  });
});
