/**
 * What the demo's invoices are for: orders.json holds the orders that the ERP had before, what of them has come, and what was
 * invoiced before. Seeded twice, it is there once.
 */
import { readFileSync } from 'node:fs';

interface Seed {
  readonly orders: readonly SeedOrder[];
  readonly invoices: readonly SeedInvoice[];
}
interface SeedOrder {
  readonly number: string;
  readonly vendor: string;
  readonly currency: string;
  readonly status?: 'voided';
  readonly lines: readonly (SeedLine & { readonly received: string })[];
}
interface SeedLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
}
interface SeedInvoice {
  readonly order: string;
  readonly vendor: string;
  readonly vendorInvoice: string;
  readonly currency: string;
  readonly total: string;
  readonly lines: readonly { readonly line: number; readonly quantity: string }[];
}

/** @throws when the ERP is not there, or does not take something */
export async function seedErp(erpUrl: string): Promise<{ orders: number; invoices: number }> {
  const { orders, invoices } = JSON.parse(readFileSync(new URL('./orders.json', import.meta.url), 'utf8')) as Seed;
  for (const order of orders) await seedOrder(erpUrl, order);
  for (const invoice of invoices) await seedInvoice(erpUrl, invoice, orders);
  return { orders: orders.length, invoices: invoices.length };
}

async function seedOrder(erpUrl: string, { number, vendor, currency, status, lines }: SeedOrder): Promise<void> {
  const reference = `demo:${number}`;
  const priced = lines.map(({ received: _, ...line }) => ({
    ...line,
    amount: amountOf(line.quantity, line.unitPrice),
  }));
  const total = priced.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2);
  const order = { number, reference, status: 'posted', vendor, currency, total, lines: priced };
  await post(`${erpUrl}/orders`, order, reference);
  if (status === 'voided') {
    await post(`${erpUrl}/orders/${number}/void`, {});
    return;
  }
  const received = lines.flatMap(({ received: quantity }, index) =>
    quantity === '0' ? [] : [{ line: index + 1, quantity }],
  );
  if (received.length > 0) await post(`${erpUrl}/orders/${number}/receipts`, { reference, lines: received });
}

async function seedInvoice(erpUrl: string, invoice: SeedInvoice, orders: readonly SeedOrder[]): Promise<void> {
  const ordered = orders.find(({ number }) => number === invoice.order)?.lines ?? [];
  const lines = invoice.lines.map(({ line, quantity }) => {
    const { description = '', unitPrice = '0' } = ordered[line - 1] ?? {};
    return { line, description, quantity, unitPrice, amount: amountOf(quantity, unitPrice) };
  });
  const reference = `demo:${invoice.vendorInvoice}`;
  await post(`${erpUrl}/invoices`, { ...invoice, reference, lines }, reference);
}

/** Good enough for a demo's order; what is matched is quantity and price. */
function amountOf(quantity: string, unitPrice: string): string {
  return (Number(quantity) * Number(unitPrice)).toFixed(2);
}

async function post(url: string, body: object, key?: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  // 409: it was there before.
  if (!response.ok && response.status !== 409) {
    throw new Error(`${url} answered ${String(response.status)}: ${await response.text()}`);
  }
}
