/** The invoices of the demo, as data: invoices.json. What is printed of one is made from nothing else. */
import { readFileSync } from 'node:fs';

export interface DemoInvoice {
  /** In which it is printed; invoices of one CSV share it. */
  readonly file: string;
  readonly layout: Layout;
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly vendor: string;
  readonly address: readonly string[];
  readonly orderNumber?: string;
  /** `YYYY-MM-DD`. */
  readonly issuedOn: string;
  readonly currency: string;
  /** In percent. */
  readonly taxRate: string;
  readonly lines: readonly DemoLine[];
  readonly net: string;
  readonly tax: string;
  readonly total: string;
}

export interface DemoLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
}

export type PdfLayout = 'classic' | 'plain' | 'german' | 'swiss' | 'long' | 'credit' | 'credit-german';
export type Layout = PdfLayout | 'csv-comma' | 'csv-semicolon';

export function demoInvoices(): readonly DemoInvoice[] {
  return JSON.parse(readFileSync(new URL('./invoices.json', import.meta.url), 'utf8')) as DemoInvoice[];
}
