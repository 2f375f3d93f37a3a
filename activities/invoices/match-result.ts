/** What the three-way match says of an invoice: line by line, against what was ordered, received and invoiced before. */
import type { InvoiceSource, ReadInvoiceLine } from './invoice.ts';

/** Ways in which an invoice, or a line of it, is not what was ordered and received. */
export const EXCEPTIONS = [
  'price_differs',
  'quantity_above_received',
  'quantity_above_ordered',
  'not_ordered',
  'no_receipt',
  'sums_differ',
  'order_missing',
  'order_unknown',
  'vendor_differs',
  'currency_differs',
  'duplicate',
  'credit_note',
] as const;
export type Exception = (typeof EXCEPTIONS)[number];

export interface Finding {
  readonly status: Exception;
  /** For whoever decides: both sides of the difference. */
  readonly text: string;
  /** How much money it is about, in the currency of the invoice; never below zero. */
  readonly atStake: string;
}

export interface MatchedLine extends ReadInvoiceLine {
  /** Of the order, counted from 1. Absent: the order has no such line. */
  readonly orderLine?: number;
  readonly orderPrice?: string;
  readonly ordered?: string;
  readonly received?: string;
  /** By invoices that the ERP has, by earlier ones of the same call, and by earlier lines of this one. */
  readonly invoicedBefore?: string;
  /** Empty: it matches within the tolerances. */
  readonly findings: readonly Finding[];
}

export interface MatchedInvoice {
  /** Its place among the invoices of the call, counted from 1. */
  readonly index: number;
  readonly number: string;
  readonly vendor: string;
  /** The order that it was matched against, or that it names. */
  readonly order?: string;
  readonly currency: string;
  readonly total: string;
  readonly issuedOn?: string;
  readonly source: InvoiceSource;
  /** Of the invoice as a whole. */
  readonly findings: readonly Finding[];
  readonly lines: readonly MatchedLine[];
  /** Orders of its vendor that it may belong to, where it names none that is there. */
  readonly candidates?: readonly string[];
  /** What the ERP had invoiced on the lines of the order when it was matched, by line; the invoices of this call apart. */
  readonly invoicedAtErp?: Readonly<Record<string, string>>;
}

/** Those of the whole invoice stand at each of its lines. `matched` alone when there is nothing. */
export function statusesOf({ findings }: MatchedInvoice, line: MatchedLine): readonly (Exception | 'matched')[] {
  const found = [...findings, ...line.findings].map(({ status }) => status);
  return found.length === 0 ? ['matched'] : [...new Set(found)];
}

export function findingsOf({ findings, lines }: MatchedInvoice): readonly Finding[] {
  return [...findings, ...lines.flatMap((line) => line.findings)];
}
