import { describe, expect, it } from '@jest/globals';
import { sheetPdf } from '../../../activities/pdf-sheet.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const ROWS = 400;

describe('sheetPdf', () => {
  it('lets others have their turn while it draws a long sheet: heartbeats are due every few seconds', async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => [`Line ${index}`, 'Price 11.50 EUR, ordered at 10.00 EUR']);
    const columns = [
      { heading: 'Invoice', width: 85 },
      { heading: 'What differs', width: 410 },
    ];
    const sheet = { title: 'Long', datedAt: '2026-11-30T00:00:00.000Z', facts: [], tables: [{ columns, rows }] };
    expect(await turnsDuring(() => sheetPdf(sheet))).toBeGreaterThanOrEqual(ROWS / 20);
  });
});
