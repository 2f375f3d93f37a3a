import { describe, expect, it } from '@jest/globals';
import { sheetPdf } from '../../../activities/pdf-sheet.ts';

const ROWS = 400;

describe('sheetPdf', () => {
  it('lets others have their turn while it draws a long sheet: heartbeats are due every few seconds', async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => [`Line ${index}`, 'Price 11.50 EUR, ordered at 10.00 EUR']);
    const columns = [
      { heading: 'Invoice', width: 85 },
      { heading: 'What differs', width: 410 },
    ];
    let turns = 0;
    let isDrawing = true;
    const takeTurns = (): void => {
      turns += 1;
      if (isDrawing) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    await sheetPdf({ title: 'Long', datedAt: '2026-11-30T00:00:00.000Z', facts: [], tables: [{ columns, rows }] });
    isDrawing = false;
    expect(turns).toBeGreaterThanOrEqual(ROWS / 20);
  });
});
