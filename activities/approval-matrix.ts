/**
 * Who has to approve an order: the rules of the policy that fit it, merged to one approval a role. The approvals stand in the
 * order in which the matrix names their roles, which is the order in which they are asked.
 */
import { isAbove } from './money.ts';
import type { OrderDraft } from './order-draft.ts';
import type { DecisionTimes, LimitRule } from './policy-parts.ts';
import type { ApprovalRule, PurchasePolicy } from './policy-file.ts';
import { isSameVendor } from './vendor-list.ts';

/** One approval that is needed. Times count from the moment in which it is asked. */
export interface ApprovalNeed {
  readonly role: string;
  readonly quorum: number;
  /** Where rules with limits ask for it: each of them, with its limit. */
  readonly reason: string;
  readonly withinMs: number;
  readonly remindAfterMs: readonly number[];
  readonly escalations: readonly { readonly afterMs: number; readonly role: string }[];
}

type Facts = Pick<OrderDraft, 'vendor' | 'currency' | 'total' | 'category'>;

const HOUR_MS = 3_600_000;

export function isNewVendor({ knownVendors }: PurchasePolicy, vendor: string): boolean {
  return !knownVendors.some((known) => isSameVendor(known, vendor));
}

/** `facts` are in a currency of the policy. */
export function approvalsFor(policy: PurchasePolicy, facts: Facts): ApprovalNeed[] {
  const isNew = isNewVendor(policy, facts.vendor);
  return needsOf(
    policy,
    policy.approvals.filter((rule) => fits(rule, facts, isNew)),
    facts.currency,
  );
}

/** One approval a role, in the order in which `rules` name the roles. */
export function needsOf(times: DecisionTimes, rules: readonly LimitRule[], currency: string): ApprovalNeed[] {
  const roles = [...new Set(rules.map(({ role }) => role))];
  return roles.map((role) => {
    const own = rules.filter((rule) => rule.role === role);
    return {
      role,
      quorum: Math.max(...own.map(({ quorum }) => quorum)),
      reason: own.map((rule) => reasonOf(rule, currency)).join('; '),
      ...timesOf(times),
    };
  });
}

export function timesOf({
  decideWithinHours,
  remindAfterHours,
  escalate,
}: DecisionTimes): Pick<ApprovalNeed, 'withinMs' | 'remindAfterMs' | 'escalations'> {
  return {
    withinMs: decideWithinHours * HOUR_MS,
    remindAfterMs: remindAfterHours.map((hours) => hours * HOUR_MS),
    escalations: escalate.map(({ afterHours, role }) => ({ afterMs: afterHours * HOUR_MS, role })),
  };
}

function fits(rule: ApprovalRule, facts: Facts, isNew: boolean): boolean {
  if (rule.category !== undefined && rule.category !== facts.category) return false;
  if (rule.newVendor === true && !isNew) return false;
  return isAboveLimit(rule, facts.total, facts.currency);
}

/** A file has a limit for every currency; what has none is never small enough. */
export function isAboveLimit({ above }: Pick<LimitRule, 'above'>, amount: string, currency: string): boolean {
  const limit = above[currency];
  return limit === undefined || isAbove(amount, limit);
}

function reasonOf({ reason, above }: LimitRule, currency: string): string {
  return `${reason} (above ${above[currency] ?? '0'} ${currency})`;
}
