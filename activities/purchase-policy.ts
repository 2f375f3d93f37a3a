/**
 * What the purchase policy means for an order: whether it is refused, what has to be known, and who has to approve it before
 * it is placed.
 */
import { approvalsFor, isNewVendor, type ApprovalNeed } from './approval-matrix.ts';
import { isAbove } from './money.ts';
import type { OrderDraft } from './order-draft.ts';
import { hasUnseen } from './plain-text.ts';
import type { PurchasePolicy } from './policy-file.ts';
import { isSameVendor } from './vendor-list.ts';

/** What of an order the policy looks at. */
export type PolicyFacts = Omit<OrderDraft, 'lines'>;

export interface PolicyVerdict {
  readonly policyVersion: string;
  /** Why the order is refused, in whole sentences; empty when it is not. */
  readonly refusals: readonly string[];
  /** Those that may be charged. */
  readonly costCentres: readonly { readonly value: string; readonly title: string }[];
  readonly missing: {
    readonly costCentre?: true;
    /** Without `above`, the justification that was given is no plain text. */
    readonly justification?: { readonly above?: string; readonly minLength: number };
  };
  readonly isNewVendor: boolean;
  /** Where the order goes by mail once it is placed. Absent in runs of before orders went by mail. */
  readonly orderMail?: OrderMailRoute;
  /** All of them are needed, in this order; empty when nobody is asked. */
  readonly approvals: readonly ApprovalNeed[];
}

/** `none`: why it does not go by mail. */
export type OrderMailRoute = { readonly to: string } | { readonly none: 'no-address' | 'no-server' };

/** `today` is `YYYY-MM-DD`. `canMail`: there is a mail server. */
export function evaluatePolicy(
  policy: PurchasePolicy,
  facts: PolicyFacts,
  today: string,
  canMail = false,
): PolicyVerdict {
  const base = {
    policyVersion: policy.version,
    costCentres: policy.costCentres.map(({ code, name }) => ({ value: code, title: `${code} ${name}` })),
    isNewVendor: isNewVendor(policy, facts.vendor),
    orderMail: orderMailFor(policy, facts.vendor, canMail),
  };
  const refusals = refusalsOf(policy, facts, today);
  if (refusals.length > 0) return { ...base, refusals, missing: {}, approvals: [] };
  return { ...base, refusals: [], missing: missingOf(policy, facts), approvals: approvalsFor(policy, facts) };
}

function orderMailFor({ orderMail }: PurchasePolicy, vendor: string, canMail: boolean): OrderMailRoute {
  if (!canMail) return { none: 'no-server' };
  const known = orderMail.find((entry) => isSameVendor(entry.vendor, vendor));
  return known === undefined ? { none: 'no-address' } : { to: known.to };
}

function missingOf(policy: PurchasePolicy, facts: PolicyFacts): PolicyVerdict['missing'] {
  const { justificationMinLength: minLength } = policy;
  const above = policy.currencies[facts.currency]?.justificationAbove ?? '0';
  const { justification = '' } = facts;
  const isWanted = isAbove(facts.total, above) && [...justification].length < minLength;
  return {
    ...(policy.costCentres.some(({ code }) => code === facts.costCentre) ? {} : { costCentre: true }),
    ...(isWanted ? { justification: { above, minLength } } : {}),
    ...(hasUnseen(justification) ? { justification: { minLength } } : {}),
  };
}

function refusalsOf(policy: PurchasePolicy, facts: PolicyFacts, today: string): string[] {
  const refusals: string[] = [];
  if (policy.currencies[facts.currency] === undefined) {
    refusals.push(`currency: orders are placed in ${Object.keys(policy.currencies).join(', ')} only.`);
  }
  const blocked = policy.blockedVendors.find(({ name }) => isSameVendor(name, facts.vendor));
  if (blocked !== undefined) refusals.push(`vendor: nothing may be ordered there, because ${blocked.reason}.`);
  const { neededBy, category } = facts;
  if (category !== undefined && !policy.categories.some(({ code }) => code === category)) {
    const codes = policy.categories.map(({ code }) => code).join(', ');
    refusals.push(`category: must be one of ${codes}, or left out when none of them fits.`);
  }
  // Somewhere it is still yesterday.
  if (neededBy !== undefined && neededBy < dayAfter(today, -1)) refusals.push('neededBy: this day has passed.');
  const lastDay = dayAfter(today, policy.neededByWithinDays);
  if (neededBy !== undefined && neededBy > lastDay) {
    refusals.push(`neededBy: the day must lie within ${policy.neededByWithinDays} days.`);
  }
  return refusals;
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
