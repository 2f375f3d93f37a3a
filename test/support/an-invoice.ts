/** Invoices, orders and what the ERP knows of them: valid by default, and matching. */
import type { ReadInvoice, ReadInvoiceLine } from '../../activities/invoices/invoice.ts';
import type {
  ErpFacts,
  OrderFacts,
  OrderFactsLine,
  PostedInvoiceFacts,
} from '../../activities/invoices/order-facts.ts';

export function anInvoiceLine(overrides: Partial<ReadInvoiceLine> = {}): ReadInvoiceLine {
  return {
    description: 'Office chair',
    sku: 'CH-1',
    quantity: '4',
    unitPrice: '189.90',
    amount: '759.60',
    ...overrides,
  };
}

export function anInvoice(overrides: Partial<ReadInvoice> = {}): ReadInvoice {
  return {
    kind: 'invoice',
    number: 'RE-1',
    vendor: 'Nordlicht Bürobedarf GmbH',
    orderNumber: 'PO-440001',
    currency: 'EUR',
    lines: [anInvoiceLine()],
    net: '759.60',
    tax: '144.32',
    total: '903.92',
    source: { file: 'invoice.pdf' },
    ...overrides,
  };
}

/** With sums that add up, without tax. */
export function anInvoiceOf(lines: readonly ReadInvoiceLine[], overrides: Partial<ReadInvoice> = {}): ReadInvoice {
  const cents = lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  const { net: _net, tax: _tax, ...invoice } = anInvoice();
  return { ...invoice, lines, total: (cents / 100).toFixed(2), ...overrides };
}

export function anOrderLine(overrides: Partial<OrderFactsLine> = {}): OrderFactsLine {
  return {
    description: 'Office chair',
    sku: 'CH-1',
    quantity: '4',
    unitPrice: '189.90',
    received: '4',
    invoiced: '0',
    ...overrides,
  };
}

export function orderFacts(overrides: Partial<OrderFacts> = {}): OrderFacts {
  return {
    number: 'PO-440001',
    status: 'posted',
    vendor: 'Nordlicht Bürobedarf GmbH',
    currency: 'EUR',
    lines: [anOrderLine()],
    ...overrides,
  };
}

export function erpFacts(orders: readonly OrderFacts[], posted: readonly PostedInvoiceFacts[] = []): ErpFacts {
  return { orders: new Map(orders.map((order) => [order.number, order])), posted };
}
