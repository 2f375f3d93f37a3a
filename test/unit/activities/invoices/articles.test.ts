/** Which line of an order an invoice's line is of, where many could be. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sameArticleIn } from '../../../../activities/invoices/articles.ts';
import { readInvoicePolicy, type InvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import type { ReadInvoiceLine } from '../../../../activities/invoices/invoice.ts';
import { matchInvoices } from '../../../../activities/invoices/match-invoices.ts';
import { findingsOf } from '../../../../activities/invoices/match-result.ts';
import { anInvoiceLine, anInvoiceOf, anOrderLine, erpFacts, orderFacts } from '../../../support/an-invoice.ts';
import { patiently } from '../../../support/patience.js';

/** Walking through the order for each line took more than twice as long on a fast machine, and held up its worker. */
const SOON_MS = 4_000;

let policy: InvoicePolicy;
beforeAll(async () => {
  policy = await readInvoicePolicy('policy/invoice-policy.json');
});

function worded(description: string, overrides: Partial<ReadInvoiceLine> = {}): ReadInvoiceLine {
  const { sku: _, ...line } = anInvoiceLine({ description, ...overrides });
  return line;
}

describe('sameArticleIn', () => {
  const order = orderFacts({
    lines: [
      anOrderLine({ sku: 'CH-1', description: 'Chair' }),
      anOrderLine({ sku: undefined, description: 'office  chair' }),
      anOrderLine({ sku: 'ch 1', description: 'Another' }),
      anOrderLine({ sku: 'CH-2', description: 'Office-Chair' }),
    ],
  });

  it('goes by article number where both have one, else by the words', () => {
    expect(sameArticleIn(order, anInvoiceLine())).toEqual([0, 1, 2]);
    expect(sameArticleIn(order, worded('OFFICE CHAIR'))).toEqual([1, 3]);
    expect(sameArticleIn(order, worded('Desk'))).toEqual([]);
  });
});

describe('5,000 lines against an order of 1,000', () => {
  it('are matched without holding up the worker', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `Chair number ${index}`);
    const lines = names.map((name) => worded(name, { quantity: '1', amount: '189.90' }));
    const ordered = names.map((description) =>
      anOrderLine({ sku: undefined, description, quantity: '5', received: '5' }),
    );
    const invoices = Array.from({ length: 5 }, (_, index) => anInvoiceOf(lines, { number: `RE-${index}` }));
    const startedAt = performance.now();
    const matched = matchInvoices(invoices, erpFacts([orderFacts({ lines: ordered })]), policy);
    expect(performance.now() - startedAt).toBeLessThan(patiently(SOON_MS));
    expect(matched.flatMap(findingsOf)).toEqual([]);
    expect(matched[4]?.lines[999]).toMatchObject({ orderLine: 1_000, invoicedBefore: '4' });
  });
});
