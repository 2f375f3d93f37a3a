/** What the demo ERP knows of a vendor's invoice. */
import { isDecimal, isRecord, isText } from './order.ts';

export interface InvoiceLine {
  /** Of the order, counted from 1. Absent: somebody has let pass what was not ordered. */
  readonly line?: number;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
}

/** What a caller sends. Amounts and quantities are decimal strings. */
export interface NewInvoice {
  /** The caller's own name for it. */
  readonly reference: string;
  /** Number of the order. */
  readonly order: string;
  readonly vendor: string;
  /** The vendor's number: a vendor uses it once. */
  readonly vendorInvoice: string;
  readonly issuedOn?: string;
  readonly currency: string;
  readonly total: string;
  readonly lines: readonly InvoiceLine[];
}

export interface Invoice extends NewInvoice {
  readonly number: string;
  readonly status: 'posted' | 'voided';
  /** ISO 8601. */
  readonly acceptedAt: string;
}

/** What is wrong with a body that should be an invoice, or `undefined`. */
export function invoiceFault(body: unknown): string | undefined {
  if (!isRecord(body)) return 'the body must be an object';
  for (const name of ['reference', 'order', 'vendor', 'vendorInvoice', 'currency'] as const) {
    if (!isText(body[name])) return `${name} must be a text`;
  }
  if (!isDecimal(body['total'])) return 'total must be a decimal';
  const { lines } = body;
  if (!Array.isArray(lines) || lines.length === 0) return 'lines must be a list of at least one line';
  return lines.every(isLine) ? undefined : 'every line needs description, quantity, unitPrice and amount';
}

/** A discount is a line below zero. */
function isLine(line: unknown): boolean {
  const isSigned = (value: unknown): boolean => typeof value === 'string' && isDecimal(value.replace(/^-/, ''));
  return (
    isRecord(line) &&
    (line['line'] === undefined || Number.isInteger(line['line'])) &&
    isText(line['description']) &&
    [line['quantity'], line['unitPrice'], line['amount']].every(isSigned)
  );
}

/** By which a vendor's number is known again, however it is written. */
export function vendorKey({ vendor, vendorInvoice }: Pick<NewInvoice, 'vendor' | 'vendorInvoice'>): string {
  const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return JSON.stringify([plain(vendor), plain(vendorInvoice)]);
}
