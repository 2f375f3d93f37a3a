/** How far an invoice may be from order and receipt, and who decides beyond that: data with a version. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { approvingRole, decisionTimes } from '../policy-parts.ts';
import { EXCEPTIONS } from './match-result.ts';

const amount = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, { error: 'must be a decimal text' });
const percent = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/, { error: 'must be a decimal text' });
/** By ISO 4217 code. A currency that is not named has a limit of nothing. */
const amounts = z.record(z.string().regex(/^[A-Z]{3}$/), amount);
/** Beside what the task needs before and after, it must end within its 90 days. */
const MAX_DECIDE_HOURS = 60 * 24;

/**
 * Who may let an exception pass. `ask`: the requester, up to a limit, and an approver above it. `approve`: an approver.
 * `refuse`: nobody.
 */
const route = z.enum(['ask', 'approve', 'refuse']);

const invoicePolicy = z.strictObject({
  version: z.string().min(1).max(40),
  /** `percent` of the ordered price, and `amount` for the whole line: one of them is enough, or both must hold. */
  price: z.strictObject({ percent, amount: amounts, within: z.enum(['both', 'either']) }),
  /** Of the ordered or received quantity. */
  quantityPercent: percent,
  /** What rounding may add up to. */
  sums: amounts,
  /** Of what is invoiced without tax: above the highest rate of anybody who sends invoices. */
  maxTaxPercent: percent.default('30'),
  exceptions: z.record(z.enum(EXCEPTIONS), route),
  /** What one invoice may be about to be decided by the requester. */
  askUpTo: amounts,
  /** The same for all invoices of a call. */
  askUpToInAll: amounts,
  /** What the requester may answer. */
  decisions: z.array(z.enum(['accept', 'reject', 'hold'])).min(1),
  approval: z.strictObject({
    ...approvingRole,
    ...decisionTimes,
    decideWithinHours: decisionTimes.decideWithinHours.max(MAX_DECIDE_HOURS),
  }),
});
export type InvoicePolicy = z.output<typeof invoicePolicy>;
export type Decision = InvoicePolicy['decisions'][number];

/** @throws when the file is not a policy: the operator's fault, so that the call is tried again */
export async function readInvoicePolicy(path: string): Promise<InvoicePolicy> {
  return invoicePolicy.parse(JSON.parse(await readFile(path, 'utf8')));
}
