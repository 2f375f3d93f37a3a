/** What is read of the ERP for a match, from one that says what the test has it say. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from '@jest/globals';
import { createFactReader, type UntilKnown } from '../../../../activities/invoices/erp-facts.ts';
import type { ReadInvoice } from '../../../../activities/invoices/invoice.ts';
import type { ErpFacts } from '../../../../activities/invoices/order-facts.ts';
import { anInvoice } from '../../../support/an-invoice.ts';
import { atScopeEnd } from '../../../support/scope.ts';

const VENDOR_ORDERS = 150;
const numberOf = (place: number): string => `PO-${String(440_000 + place)}`;

const received = (quantity: string, number: string): object => ({
  number,
  receivedAt: '2026-12-01T09:30:00.000Z',
  lines: [{ line: 1, quantity }],
});
const line = { description: 'Office chair', quantity: '4', unitPrice: '189.90' };

function answerTo(path: string): object {
  const [, number = '', part] = /^\/orders\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  if (path.startsWith('/orders?')) {
    return { orders: Array.from({ length: VENDOR_ORDERS }, (_, index) => ({ number: numberOf(index) })) };
  }
  if (part === 'receipts') return { receipts: [received('5', 'GR-1'), received('-1', 'GR-2')] };
  if (part === 'invoices' || number === '') return { invoices: [] };
  return { number, status: 'posted', vendor: 'Nordlicht Bürobedarf GmbH', currency: 'EUR', lines: [line] };
}

/** Of a fresh ERP, and the paths that were asked for. */
async function factsFor(invoices: readonly ReadInvoice[]): Promise<{ facts: ErpFacts; paths: readonly string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    response.end(JSON.stringify(answerTo(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atScopeEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const once: UntilKnown = async (attempt) => {
    const known = await attempt();
    if (known === undefined) throw new Error('The ERP gave no answer that is known.');
    return known;
  };
  const { port } = server.address() as AddressInfo;
  const reader = createFactReader(`http://127.0.0.1:${String(port)}`, once);
  const facts = await new MockActivityEnvironment().run<[], ErpFacts, () => Promise<ErpFacts>>(() =>
    reader.factsFor(invoices, []),
  );
  return { facts, paths };
}

describe('factsFor', () => {
  it('takes off what went back', async () => {
    const { facts } = await factsFor([anInvoice({ orderNumber: numberOf(1) })]);
    expect(facts.orders.get(numberOf(1))?.lines).toMatchObject([{ received: '4', invoiced: '0' }]);
  });

  it('reads a bounded number of orders to suggest some for an invoice without one', async () => {
    const { orderNumber: _, ...lost } = anInvoice();
    const { facts, paths } = await factsFor([lost]);
    expect(facts.orders.size).toBe(100);
    expect([...facts.orders.keys()].at(-1)).toBe(numberOf(99));
    expect(paths).toHaveLength(1 + 3 * 100 + 1);
  });
});
