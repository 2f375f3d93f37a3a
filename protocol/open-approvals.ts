/** The decisions that a task waits for, and those that were taken lately, as its state carries them. */
import { decidedOf, type Approval, type DecidedApproval } from './approval.ts';

interface Carried {
  readonly approvals?: readonly Approval[];
  readonly decided?: readonly DecidedApproval[];
}

/** Whoever comes late is told by whom it was decided; who comes much later has the audit. */
const MAX_DECIDED = 20;

/** With one that is new or has changed; an id that was decided is never opened again. */
export function withApproval({ approvals = [], decided = [] }: Carried, approval: Approval): Carried | undefined {
  if (decided.some(({ id }) => id === approval.id)) return undefined;
  const isKnown = approvals.some(({ id }) => id === approval.id);
  return {
    approvals: isKnown
      ? approvals.map((each) => (each.id === approval.id ? approval : each))
      : [...approvals, approval],
  };
}

export function withDecided({ approvals = [], decided = [] }: Carried, one: DecidedApproval): Carried | undefined {
  if (!approvals.some(({ id }) => id === one.id)) return undefined;
  return {
    approvals: approvals.filter(({ id }) => id !== one.id),
    decided: [...decided, one].slice(-MAX_DECIDED),
  };
}

/** Nothing changes when none is open. */
export function withdrawAll({ approvals = [], decided = [] }: Carried, at: number): Carried | undefined {
  if (approvals.length === 0) return undefined;
  const withdrawn = approvals.map((approval) => decidedOf(approval, 'withdrawn', at));
  return { approvals: [], decided: [...decided, ...withdrawn].slice(-MAX_DECIDED) };
}
