/** What somebody filled in to have another person stand in for them. Days are those of UTC, as all times of the inbox. */
import type { NewDelegation } from '../../protocol/delegation.ts';
import type { Approver } from './approvers.ts';

export const MAX_DELEGATION_DAYS = 90;

const DAY_MS = 86_400_000;

interface Filling {
  /** Who gives it: one of the list. */
  readonly self: Approver;
  readonly approvers: readonly Approver[];
  /** Epoch ms. */
  readonly now: number;
}

/** A text says what is wrong with the form. */
export function delegationOf(
  form: ReadonlyMap<string, string>,
  { self, approvers, now }: Filling,
): Pick<NewDelegation, 'to' | 'role' | 'fromAt' | 'untilAt'> | string {
  const to = form.get('to');
  if (to === self.subject) return 'Nobody stands in for themselves: choose somebody else.';
  if (to === undefined || !approvers.some(({ subject }) => subject === to))
    return 'Choose one of the people of the list.';
  const role = form.get('role') ?? '';
  if (role !== '' && !self.roles.includes(role)) return 'Choose one of your roles, or all of your decisions.';
  const firstDay = dayOf(form.get('from'));
  const lastDay = dayOf(form.get('until'));
  if (firstDay === undefined || lastDay === undefined)
    return 'Give the first and the last day as a date, such as 2026-08-03.';
  if (lastDay < firstDay) return 'The last day lies before the first.';
  const untilAt = lastDay + DAY_MS;
  if (untilAt <= now) return 'The last day is over already.';
  if (untilAt - firstDay > MAX_DELEGATION_DAYS * DAY_MS) {
    return `At most ${String(MAX_DELEGATION_DAYS)} days at once. Give another one when it is over.`;
  }
  return { to, ...(role === '' ? {} : { role }), fromAt: Math.max(firstDay, now), untilAt };
}

/** Its beginning in epoch ms. */
function dayOf(text = ''): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00.000Z`);
  // A day that a month does not have is taken for one of the next month.
  return !Number.isNaN(at) && dayText(at) === text ? at : undefined;
}

/** `2026-08-03` */
export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
