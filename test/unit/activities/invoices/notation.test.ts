import { describe, expect, it } from '@jest/globals';
import { readInvoiceDate } from '../../../../activities/invoices/invoice-date.ts';
import { decimalSignOf, isNumber, toDecimal } from '../../../../activities/invoices/notation.ts';
import { patiently } from '../../../support/patience.js';

describe('decimalSignOf', () => {
  it.each([
    [['1,234.50'], '.'],
    [['1.234,50'], ','],
    [['12.5'], '.'],
    [['12,5', '1.000'], ','],
    [['1.000', '12.50'], '.'],
    [['1.234.567'], ','],
    [["1'234.50"], '.'],
    [['1 234,50 €'], ','],
    [['12', '7'], '.'],
    [['0.1234', 'no number 1,5'], '.'],
  ])('of %j is %s', (texts, sign) => {
    expect(decimalSignOf(texts, 2)).toBe(sign);
  });

  it('refuses what contradicts itself, and what nothing speaks for', () => {
    expect(() => decimalSignOf(['12.50', '12,50'], 2)).toThrow('a decimal point and some a decimal comma');
    expect(() => decimalSignOf(['1.234', '2'], 2)).toThrow('It cannot be told whether 1.234 has decimals');
  });

  it('takes thousands for what they are where amounts have no decimals', () => {
    expect([decimalSignOf(['1,234'], 0), decimalSignOf(['1.234'], 0)]).toEqual(['.', ',']);
  });
});

describe('toDecimal', () => {
  it.each([
    ['1,234.50', '.', '1234.50'],
    ['1.234,50', ',', '1234.50'],
    ['1 234,50 €', ',', '1234.50'],
    ['1’234’567.05', '.', '1234567.05'],
    ['EUR 12.00', '.', '12.00'],
    ['€ -12.00', '.', '-12.00'],
    ['−12,00', ',', '-12.00'],
    ['12.00-', '.', '-12.00'],
    ['(12.00)', '.', '-12.00'],
    ['-0.00', '.', '0.00'],
    ['007', '.', '7'],
    ['999999999999.99', '.', '999999999999.99'],
  ] as const)('of %j is %s', (text, sign, decimal) => {
    expect(toDecimal(text, sign)).toBe(decimal);
  });

  it.each(['', 'x', '1,2,3', '1,23,456.00', '1..2', '12.', '.5', '1e3', '=1+1', '(12', '12%', '1.2.3', '9'.repeat(30)])(
    'of %j is none',
    (text) => {
      expect(() => toDecimal(text, '.')).toThrow(/is not a number|too many digits/);
    },
  );

  it('answers the longest of texts at once', () => {
    const startedAt = performance.now();
    for (const text of [' '.repeat(50_000), `1${' '.repeat(50_000)}x`, '1,'.repeat(25_000)]) isNumber(text);
    expect(performance.now() - startedAt).toBeLessThan(patiently(1_000));
  });
});

describe('readInvoiceDate', () => {
  it.each([
    ['2026-11-03', '2026-11-03'],
    ['03.11.2026', '2026-11-03'],
    ['3. 1.2026', '2026-01-03'],
    ['3 November 2026', '2026-11-03'],
    ['November 3, 2026', '2026-11-03'],
    ['14. März 2026', '2026-03-14'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['05/05/2026', '2026-05-05'],
    ['03/11/2026', undefined],
    ['31.02.2026', undefined],
    ['2026-13-01', undefined],
    ['soon', undefined],
    ['3 Brumaire 2026', undefined],
    ['', undefined],
  ])('of %j is %s', (text, date) => {
    expect(readInvoiceDate(text)).toBe(date);
  });
});
