import { describe, expect, it } from '@jest/globals';
import { readPdfInvoice } from '../../../../activities/invoices/pdf-invoice.ts';
import type { TextPiece } from '../../../../activities/invoices/pdf-text.ts';

function row(y: number, texts: readonly string[]): TextPiece[] {
  return texts.map((text, index) => ({ text, left: index * 20, right: index * 20 + 5, y, height: 9 }));
}

describe('the text of a PDF', () => {
  it('with more cells in a row than any table has is refused, before it is compared with them', () => {
    const headings = ['Description', 'Qty', 'Unit price', 'Amount', ...Array.from({ length: 2_000 }, () => 'Qty')];
    const cells = headings.map(() => '9');
    const page = [
      ...row(10, ['Supplier: Acme']),
      ...row(30, ['Invoice No. A-1']),
      ...row(50, headings),
      ...row(70, cells),
    ];
    expect(() => readPdfInvoice([page], 'a.pdf')).toThrow('Page 1: a row has more than 500 cells.');
  });
});
