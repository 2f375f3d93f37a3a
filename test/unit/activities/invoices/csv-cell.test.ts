import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvLine } from '../../../../activities/invoices/csv-cell.ts';

describe('csvLine', () => {
  it.each([
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+1+1', "'+1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['＝1', "'＝1"],
    ['-12.50', '-12.50'],
    ['12.50', '12.50'],
    ['Screws, "M8"; zinc', 'Screws, "M8"; zinc'],
    ['two\r\nlines', 'two\r\nlines'],
    ['', ''],
  ])('writes %j so that a spreadsheet shows %j', (text, shown) => {
    expect(parse(csvLine([text, 'end']))).toEqual([[shown, 'end']]);
  });
});
