/** What the ERP knows of the orders that invoices name, and of the invoices that it has. It trusts no answer of a shape it does not know. */
import { cancellationSignal } from '@temporalio/activity';
import Big from 'big.js';
import { z } from 'zod';
import { exchange } from '../erp-exchange.ts';
import { receiptsPath, receiptsSchema, receivedByLine } from '../erp-receipts.ts';
import type { ReadInvoice } from './invoice.ts';
import type { ErpFacts, OrderFacts, PostedInvoiceFacts } from './order-facts.ts';

const READ_TIMEOUT_MS = 5_000;
/** An order of the ERP has a number like this; nothing else is asked for. */
const ORDER_NUMBER = /^[A-Za-z0-9-]{1,40}$/;
/** So many orders are read at once. */
const AT_ONCE = 8;
/** Of one vendor, to suggest some for an invoice without one: a vendor may have had thousands. */
const MAX_SUGGESTED = 100;

const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/);
const quantities = z.object({ line: z.int().min(1).optional(), quantity: decimal });
const orderSchema = z.object({
  number: z.string(),
  status: z.enum(['posted', 'draft', 'voided']),
  vendor: z.string(),
  currency: z.string(),
  lines: z.array(
    z.object({ description: z.string(), sku: z.string().optional(), quantity: decimal, unitPrice: decimal }),
  ),
});
const ordersSchema = z.object({ orders: z.array(z.object({ number: z.string() })) });
const invoiceSchema = z.object({
  number: z.string(),
  reference: z.string(),
  status: z.enum(['posted', 'voided']),
  vendor: z.string(),
  vendorInvoice: z.string(),
  lines: z.array(quantities),
});
const invoicesSchema = z.object({ invoices: z.array(invoiceSchema) });

/** `untilKnown`: asks again as long as the ERP does not answer. */
export type UntilKnown = <T>(attempt: () => Promise<T | undefined>) => Promise<T>;

export interface FactReader {
  factsFor(invoices: readonly ReadInvoice[], moreOrders: readonly string[]): Promise<ErpFacts>;
  /** By line, without those under a reference that begins with `ours`. */
  invoicedOn(order: string, ours: string): Promise<ReadonlyMap<number, Big>>;
}

export function createFactReader(erpUrl: string, untilKnown: UntilKnown): FactReader {
  /** `absent`: the ERP says that there is nothing under this path. */
  function read<T>(path: string, schema: z.ZodType<T>): Promise<T | 'absent'> {
    return untilKnown(async () => {
      const signal = cancellationSignal();
      const outcome = await exchange(erpUrl, { method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal });
      if (outcome.kind !== 'answer') return undefined;
      if (outcome.answer.status === 404) return 'absent';
      return outcome.answer.status === 200 ? schema.safeParse(outcome.answer.body).data : undefined;
    });
  }

  async function readOrder(number: string): Promise<OrderFacts | undefined> {
    if (!ORDER_NUMBER.test(number)) return undefined;
    const order = await read(`/orders/${number}`, orderSchema);
    if (order === 'absent') return undefined;
    const receipts = await read(receiptsPath(number), receiptsSchema);
    const invoiced = await invoicesOf(number);
    const received = receivedByLine(receipts === 'absent' ? [] : receipts.receipts);
    const before = summedByLine(invoiced.flatMap(({ lines }) => lines));
    const lines = order.lines.map((line, index) => ({
      ...line,
      received: received.get(index + 1) ?? '0',
      invoiced: (before.get(index + 1) ?? new Big(0)).toFixed(),
    }));
    return { ...order, lines };
  }

  async function invoicesOf(order: string): Promise<z.output<typeof invoiceSchema>[]> {
    const found = await read(`/orders/${order}/invoices`, invoicesSchema);
    return found === 'absent' ? [] : found.invoices.filter(({ status }) => status === 'posted');
  }

  async function ordersOf(vendor: string): Promise<readonly string[]> {
    const found = await read(`/orders?vendor=${encodeURIComponent(vendor)}`, ordersSchema);
    const numbers = found === 'absent' ? [] : found.orders.map(({ number }) => number);
    return numbers.sort().slice(0, MAX_SUGGESTED);
  }

  async function postedUnder({ vendor, number }: ReadInvoice): Promise<readonly PostedInvoiceFacts[]> {
    const query = `vendor=${encodeURIComponent(vendor)}&vendorInvoice=${encodeURIComponent(number)}`;
    const found = await read(`/invoices?${query}`, invoicesSchema);
    return found === 'absent' ? [] : found.invoices.filter(({ status }) => status === 'posted');
  }

  return {
    async factsFor(invoices, moreOrders) {
      const named = invoices.flatMap(({ orderNumber = '' }) => (orderNumber.trim() === '' ? [] : [orderNumber.trim()]));
      const read = await inTurn([...new Set([...named, ...moreOrders])], readOrder);
      const known = new Map(read.flatMap((order) => (order === undefined ? [] : [[order.number, order] as const])));
      const lost = invoices.filter(({ orderNumber = '' }) => !known.has(orderNumber.trim()));
      const suggested = (await inTurn([...new Set(lost.map(({ vendor }) => vendor))], ordersOf)).flat();
      const fresh = await inTurn(
        [...new Set(suggested)].filter((number) => !known.has(number)),
        readOrder,
      );
      for (const order of fresh) if (order !== undefined) known.set(order.number, order);
      return { orders: known, posted: (await inTurn(invoices, postedUnder)).flat() };
    },

    async invoicedOn(order, ours) {
      const others = (await invoicesOf(order)).filter(({ reference }) => !reference.startsWith(ours));
      return summedByLine(others.flatMap(({ lines }) => lines));
    },
  };
}

function summedByLine(lines: readonly z.output<typeof quantities>[]): ReadonlyMap<number, Big> {
  const sums = new Map<number, Big>();
  for (const { line, quantity } of lines) {
    if (line !== undefined) sums.set(line, (sums.get(line) ?? new Big(0)).plus(quantity));
  }
  return sums;
}

async function inTurn<A, B>(items: readonly A[], run: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (let index = 0; index < items.length; index += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(index, index + AT_ONCE).map(run))));
  }
  return results;
}
