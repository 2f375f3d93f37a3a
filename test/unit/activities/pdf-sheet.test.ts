import { describe, expect, it } from '@jest/globals';
import { sheetPdf } from '../../../activities/pdf-sheet.ts';
import { longestPause } from '../../support/longest-pause.ts';

describe('a sheet of many rows', () => {
  it('lets others have their turn while it is written', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => [
      `RE-${String(index)}`,
      'Something that differs. '.repeat(6),
    ]);
    const columns = [
      { heading: 'Invoice', width: 85 },
      { heading: 'What differs', width: 410 },
    ];
    const sheet = { title: 'Many', datedAt: '2026-11-30T00:00:00.000Z', facts: [], tables: [{ columns, rows }] };
    expect(await longestPause(() => sheetPdf(sheet))).toBeLessThan(0.6);
  });
});
