import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine } from '../../../protocol/csv-cell.ts';

/** Where a cell begins for a spreadsheet that takes something else than commas for what stands between two. */
const FORMULA_INSIDE = /[;\t\r\n][\s"]*[=+\-@＝＋－＠]/u;

describe('csvLine', () => {
  it.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+1+1', "'+1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    [' =1', "' =1"],
    ['\t=1', "'\t'=1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['＝1', "'＝1"],
    ['a; =1;b', "a;' =1;b"],
    ['a;"=1', 'a;\'"=1'],
    ['a\n=1', "a\n'=1"],
    ['-12.50', '-12.50'],
    ['12.50', '12.50'],
    ['Screws, "M8"; zinc', 'Screws, "M8"; zinc'],
    ['two\r\nlines', 'two\r\nlines'],
    ['', ''],
  ])('writes %j so that a spreadsheet shows %j', (text, shown) => {
    expect(parse(csvLine([text, 'end']))).toEqual([[shown, 'end']]);
  });

  it('has no formula in it, also for whom semicolons, tabs or lines part cells', () => {
    const part = fc.constantFrom('=1+1', '@x', '＋1', ';', '\t', '\r\n', '\n', ' ', '"', "'", ',', 'a', '\u00a0');
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(csvLine(['first', one, other, 'end'])).not.toMatch(FORMULA_INSIDE);
      }),
      { numRuns: 300 },
    );
  });
});
