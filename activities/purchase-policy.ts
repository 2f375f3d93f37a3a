/**
 * The purchase policy: limits as data in a file, and what they mean for an order. It decides what has to be known and
 * whether the order is posted as a draft; it never asks whether somebody may spend the money.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isAbove } from './money.ts';
import type { OrderDraft } from './order-draft.ts';

const amount = z.string().regex(/^\d+(\.\d+)?$/);
const policySchema = z.strictObject({
  version: z.string().min(1),
  costCentres: z.array(z.strictObject({ code: z.string().min(1), name: z.string().min(1) })).min(1),
  /** By ISO 4217 code; another currency is refused. */
  currencies: z.record(
    z.string().regex(/^[A-Z]{3}$/),
    z.strictObject({ justificationAbove: amount, approvalAbove: amount }),
  ),
  justificationMinLength: z.int().positive(),
  neededByWithinDays: z.int().positive(),
  blockedVendors: z.array(z.strictObject({ name: z.string().min(1), reason: z.string().min(1) })),
});
export type PurchasePolicy = z.output<typeof policySchema>;

/** What of an order the policy looks at. */
export type PolicyFacts = Omit<OrderDraft, 'lines'>;

export interface PolicyVerdict {
  readonly policyVersion: string;
  /** Why the order is refused, in whole sentences; empty when it is not. */
  readonly refusals: readonly string[];
  /** A draft waits in the ERP for an approval. */
  readonly status: 'posted' | 'draft';
  readonly approvalAbove: string;
  readonly missing: {
    readonly costCentre?: { readonly options: readonly { readonly value: string; readonly title: string }[] };
    readonly justification?: { readonly above: string; readonly minLength: number };
  };
}

/** @throws when the file is not a policy: the operator's fault, so that the call is tried again */
export async function readPolicy(path: string): Promise<PurchasePolicy> {
  return policySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** `today` is `YYYY-MM-DD`. */
export function evaluatePolicy(policy: PurchasePolicy, facts: PolicyFacts, today: string): PolicyVerdict {
  const limits = policy.currencies[facts.currency];
  const base = { policyVersion: policy.version, missing: {}, approvalAbove: limits?.approvalAbove ?? '0' };
  const refusals = refusalsOf(policy, facts, today);
  if (limits === undefined || refusals.length > 0) return { ...base, refusals, status: 'draft' };
  const isJustified = [...(facts.justification ?? '')].length >= policy.justificationMinLength;
  return {
    ...base,
    refusals: [],
    status: isAbove(facts.total, limits.approvalAbove) ? 'draft' : 'posted',
    missing: {
      ...(policy.costCentres.some(({ code }) => code === facts.costCentre) ? {} : { costCentre: costCentres(policy) }),
      ...(isAbove(facts.total, limits.justificationAbove) && !isJustified
        ? { justification: { above: limits.justificationAbove, minLength: policy.justificationMinLength } }
        : {}),
    },
  };
}

function refusalsOf(policy: PurchasePolicy, facts: PolicyFacts, today: string): string[] {
  const refusals: string[] = [];
  if (policy.currencies[facts.currency] === undefined) {
    refusals.push(`currency: orders are placed in ${Object.keys(policy.currencies).join(', ')} only.`);
  }
  const blocked = policy.blockedVendors.find(({ name }) => comparable(name) === comparable(facts.vendor));
  if (blocked !== undefined) refusals.push(`vendor: nothing may be ordered there, because ${blocked.reason}.`);
  const { neededBy } = facts;
  // Somewhere it is still yesterday.
  if (neededBy !== undefined && neededBy < dayAfter(today, -1)) refusals.push('neededBy: this day has passed.');
  const lastDay = dayAfter(today, policy.neededByWithinDays);
  if (neededBy !== undefined && neededBy > lastDay) {
    refusals.push(`neededBy: the day must lie within ${policy.neededByWithinDays} days.`);
  }
  return refusals;
}

function costCentres({ costCentres: known }: PurchasePolicy): { options: { value: string; title: string }[] } {
  return { options: known.map(({ code, name }) => ({ value: code, title: `${code} ${name}` })) };
}

/** One name in all its spellings: width, case and spaces do not make another vendor. */
function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
