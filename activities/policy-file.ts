/** The purchase policy as it stands in its file: limits, lists and who approves what, as data with a version. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { amountSchema, currenciesWithoutLimit, currencySchema, decisionTimes, limitRule } from './policy-parts.ts';
import { isSameVendor } from './vendor-list.ts';

const coded = z.strictObject({ code: z.string().min(1).max(40), name: z.string().min(1).max(100) });

/** One row of the matrix. */
const rule = z.strictObject({
  ...limitRule,
  /** Fits orders of this category only. */
  category: z.string().optional(),
  /** Fits orders to vendors that are not known only. */
  newVendor: z.literal(true).optional(),
});

const policySchema = z
  .strictObject({
    version: z.string().min(1),
    costCentres: z.array(coded).min(1),
    categories: z.array(coded),
    /** Another currency is refused. */
    currencies: z.record(currencySchema, z.strictObject({ justificationAbove: amountSchema })),
    justificationMinLength: z.int().positive(),
    neededByWithinDays: z.int().positive(),
    blockedVendors: z.array(z.strictObject({ name: z.string().min(1), reason: z.string().min(1) })),
    knownVendors: z.array(z.string().min(1)),
    /** Where orders go by mail. No caller names an address: a vendor that is not here gets no mail. */
    orderMail: z.array(z.strictObject({ vendor: z.string().min(1), to: z.email() })).default([]),
    /** In the order in which the roles are asked. */
    approvals: z.array(rule),
    ...decisionTimes,
  })
  .superRefine(({ currencies, categories, approvals, orderMail }, context) => {
    for (const [index, { vendor }] of orderMail.entries()) {
      if (orderMail.slice(0, index).every((earlier) => !isSameVendor(earlier.vendor, vendor))) continue;
      context.addIssue({ code: 'custom', path: ['orderMail', index, 'vendor'], message: 'has an address already' });
    }
    for (const [index, { above, category }] of approvals.entries()) {
      const missing = currenciesWithoutLimit({ above }, Object.keys(currencies));
      const complain = (member: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['approvals', index, member], message });
      if (missing.length > 0) complain('above', `has no limit in ${missing.join(', ')}`);
      if (category !== undefined && !categories.some(({ code }) => code === category)) {
        complain('category', 'is none of the categories');
      }
    }
  });
export type PurchasePolicy = z.output<typeof policySchema>;
export type ApprovalRule = PurchasePolicy['approvals'][number];

/** @throws when the file is not a policy: the operator's fault, so that the call is tried again */
export async function readPolicy(path: string): Promise<PurchasePolicy> {
  return policySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}
