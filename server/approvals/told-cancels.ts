/** What the audit is told of who cancels: of a cancel in Temporal itself, which names nobody, no front tells anything. */
import type { Caller } from '../caller.ts';
import type { Log } from '../log.ts';
import { createActTeller } from './act-teller.ts';
import type { AuditTrail } from './audit-trail.ts';

export interface SentCancel {
  readonly caller: Caller;
  readonly taskId: string;
  /** Which door it came through; it stands in Temporal's request as well. */
  readonly reason: string;
}

export type TellCancel = (cancel: SentCancel) => void;

export function createCancelTeller(audit: AuditTrail | undefined, log: Log): TellCancel {
  const tell = createActTeller(audit, log);
  return ({ caller: { principal, displayName: by = principal }, taskId, reason }) => {
    const about = JSON.stringify([principal, reason]);
    tell({ taskId, type: 'cancel_sent', about, by, at: Date.now(), data: { principal, reason } });
  };
}
