/** What came of the invoices of a task, and the invoices that such tests are about. */
import { expect } from '@jest/globals';
import type { ReadInvoice } from '../../activities/invoices/invoice.ts';
import type { DetailedTask } from '../../protocol/task.ts';
import { anInvoiceLine, anInvoiceOf } from './an-invoice.ts';
import type { TestErp } from './erp.ts';
import { outputFault } from './fits-output.ts';

interface Structured {
  readonly posted: number;
  readonly notPosted: number;
  readonly approvedBy: readonly string[];
  readonly outcomes: readonly { invoice: number; outcome: string; erpNumber?: string; note?: string }[];
}

export function structuredOf(task: DetailedTask): Structured {
  if (task.status !== 'completed') throw new Error(`It is ${task.status}.`);
  expect(outputFault('reconcile_invoices', task.result.structuredContent)).toBeUndefined();
  return task.result.structuredContent as unknown as Structured;
}

/** `1 posted, 2 held`. */
export function outcomesOf(task: DetailedTask): string {
  return structuredOf(task)
    .outcomes.map(({ invoice, outcome }) => `${invoice} ${outcome}`)
    .join(', ');
}

/** What stands in the ERP, by the vendors' numbers. */
export async function invoicesIn(erp: TestErp): Promise<string[]> {
  return (await erp.state()).invoices.map(({ vendorInvoice, status }) => `${vendorInvoice} ${status}`);
}

/** Of one chair at this price, against an order for four at 189.90. */
export function ofChair(number: string, unitPrice: string, overrides: Partial<ReadInvoice> = {}): ReadInvoice {
  return anInvoiceOf([anInvoiceLine({ quantity: '1', unitPrice, amount: unitPrice })], { number, ...overrides });
}
