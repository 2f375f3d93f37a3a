/** The hiring policy as it stands in its file, and what it means for an offer. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isAboveLimit, needsOf, type ApprovalNeed } from './approval-matrix.ts';
import { decimalFault, isAbove, minorUnitsOf, withDecimals } from './money.ts';
import { currenciesWithoutLimit, currencySchema, decisionTimes, limitRule } from './policy-parts.ts';

const policySchema = z
  .strictObject({
    version: z.string().min(1),
    /** Others are refused. */
    currencies: z.array(currencySchema).min(1),
    startsWithinDays: z.int().positive(),
    /** In the order in which the roles are asked. */
    offers: z.array(z.strictObject(limitRule)).min(1),
    ...decisionTimes,
  })
  .superRefine(({ currencies, offers }, context) => {
    for (const [index, rule] of offers.entries()) {
      const missing = currenciesWithoutLimit(rule, currencies);
      if (missing.length === 0) continue;
      const message = `has no limit in ${missing.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['offers', index, 'above'], message });
    }
  });
export type HiringPolicy = z.output<typeof policySchema>;

export interface OfferFacts {
  /** Who gets it, and for what: in the digest only. */
  readonly candidate: string;
  readonly position: string;
  /** Decimal string; a year's. */
  readonly salary: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly startDate: string;
}

export interface OfferVerdict {
  readonly policyVersion: string;
  /** Why it is refused, in whole sentences; empty when it is not. */
  readonly refusals: readonly string[];
  /** With the decimals of its currency. */
  readonly salary: string;
  /** All of them are needed, in this order. */
  readonly approvals: readonly ApprovalNeed[];
  /** SHA-256 of all that is offered, in hex. */
  readonly digest: string;
}

export interface HiringActivities {
  /** `today` is `YYYY-MM-DD`. */
  checkOffer(args: { offer: OfferFacts; today: string }): Promise<OfferVerdict>;
}

/** The file is read at each check, so that a change counts from the next one on. */
export function createHiringActivities(policyFile: string): HiringActivities {
  return { checkOffer: async ({ offer, today }) => judgeOffer(await readHiringPolicy(policyFile), offer, today) };
}

/** @throws when the file is not a policy: the operator's fault, so that the call is tried again */
export async function readHiringPolicy(path: string): Promise<HiringPolicy> {
  return policySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

export function judgeOffer(policy: HiringPolicy, offer: OfferFacts, today: string): OfferVerdict {
  const { candidate, position, currency, startDate } = offer;
  const refusals = refusalsOf(policy, offer, today);
  const isRefused = refusals.length > 0;
  const salary = isRefused ? offer.salary : withDecimals(offer.salary, minorUnitsOf(currency));
  const rules = policy.offers.filter((rule) => !isRefused && isAboveLimit(rule, salary, currency));
  const content = JSON.stringify(['offer', candidate, position, salary, currency, startDate]);
  return {
    policyVersion: policy.version,
    refusals,
    salary,
    approvals: needsOf(policy, rules, currency),
    digest: createHash('sha256').update(content).digest('hex'),
  };
}

function refusalsOf(policy: HiringPolicy, { salary, currency, startDate }: OfferFacts, today: string): string[] {
  const refusals: string[] = [];
  const minorUnits = minorUnitsOf(currency);
  if (minorUnits === undefined || !policy.currencies.includes(currency)) {
    refusals.push(`offer.currency: salaries are paid in ${policy.currencies.join(', ')} only.`);
  }
  const fault = decimalFault(salary, minorUnits ?? 0);
  if (fault !== undefined) refusals.push(`offer.salary: ${fault}`);
  else if (!isAbove(salary, '0')) refusals.push('offer.salary: must be more than nothing.');
  if (startDate < today) refusals.push('offer.startDate: this day has passed.');
  const lastDay = new Date(Date.parse(`${today}T00:00:00Z`) + policy.startsWithinDays * 86_400_000);
  if (startDate > lastDay.toISOString().slice(0, 10)) {
    refusals.push(`offer.startDate: the day must lie within ${policy.startsWithinDays} days.`);
  }
  return refusals;
}
