/** What the policies have in common: who approves above which limit, and how long they have. */
import { z } from 'zod';

export const amountSchema = z.string().regex(/^\d+(\.\d+)?$/);
export const currencySchema = z.string().regex(/^[A-Z]{3}$/);
const role = z.string().min(1).max(64);
const hours = z.number().positive();
/** A year: a task does not live longer. */
const MAX_HOURS = 8_760;
const MAX_QUORUM = 10;

export const approvingRole = {
  role,
  /** How many different people have to approve. */
  quorum: z.int().min(1).max(MAX_QUORUM).default(1),
  /** For the approver. */
  reason: z.string().min(1).max(200),
};

/** What is above the limit in its own currency needs an approval by `role`. `reason` stands before the limit that was exceeded. */
export const limitRule = {
  /** Every currency of the policy has one. */
  above: z.record(currencySchema, amountSchema),
  ...approvingRole,
};

export const decisionTimes = {
  decideWithinHours: hours.max(MAX_HOURS),
  /** While nobody has decided. */
  remindAfterHours: z.array(hours),
  /** Roles that are asked as well when it takes longer. */
  escalate: z.array(z.strictObject({ afterHours: hours, role })),
};

export type LimitRule = z.output<z.ZodObject<typeof limitRule>>;
export type DecisionTimes = z.output<z.ZodObject<typeof decisionTimes>>;

/** A rule without a limit in some currency would let everything in it pass. */
export function currenciesWithoutLimit({ above }: Pick<LimitRule, 'above'>, currencies: readonly string[]): string[] {
  return currencies.filter((code) => above[code] === undefined);
}
