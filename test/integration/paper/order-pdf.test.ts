import { describe, expect, it } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { orderPdf, type OrderOnPaper } from '../../../activities/order-pdf.ts';

function anOrder(overrides: Partial<OrderOnPaper> = {}): OrderOnPaper {
  return {
    number: 'PO-450001',
    datedAt: '2026-11-29T10:00:00.000Z',
    policyVersion: 'v1',
    approvedBy: [],
    vendor: 'Łódź Ελλάδα Москва',
    currency: 'EUR',
    total: '1.00',
    lines: [{ description: 'Screws', quantity: '1', unitPrice: '1.00', amount: '1.00' }],
    ...overrides,
  };
}

function pageCount(pdf: Buffer): number {
  return [...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length;
}

/** The characters that the embedded fonts map their glyphs back to. */
function mappedText(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) => {
    try {
      return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  const maps = streams.filter((stream) => stream.includes('beginbfrange')).join('');
  return [...maps.matchAll(/<([0-9a-f]{4})>/gi)].map(([, hex = '']) => String.fromCharCode(parseInt(hex, 16))).join('');
}

describe('orderPdf', () => {
  it('makes the same bytes of the same order', async () => {
    expect((await orderPdf(anOrder())).equals(await orderPdf(anOrder()))).toBe(true);
  });

  it('takes as many pages as the lines need', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => ({
      description: `Line ${index} `.repeat(1 + (index % 12)),
      quantity: '1',
      unitPrice: '1.00',
      amount: '1.00',
    }));
    expect(pageCount(await orderPdf(anOrder()))).toBe(1);
    expect(pageCount(await orderPdf(anOrder({ lines })))).toBeGreaterThan(4);
  });

  it('has glyphs for vendors of many scripts', async () => {
    const text = mappedText(await orderPdf(anOrder({ vendor: 'Łódź Ελλάδα Москва 東京精密部品' })));
    for (const character of 'ŁźΕλМв東密') expect(text).toContain(character);
  });

  it('names who approved the order, and says of a request that nothing is ordered', async () => {
    expect(mappedText(await orderPdf(anOrder({ approvedBy: ['Ξένια'] })))).toContain('Ξ');
    const [order, request] = await Promise.all([orderPdf(anOrder()), orderPdf(anOrder({ number: undefined }))]);
    expect(order.toString('latin1')).toContain('(Purchase order PO-450001)');
    expect(request.toString('latin1')).toContain('(Purchase request)');
  });
});
