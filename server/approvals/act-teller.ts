/**
 * Tells the audit what nobody waits for: no answer comes later, or is another one, because the database is slow or away. What
 * could not be written for that is tried again as long as this process runs, and a few times for any other reason.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { OutsideAct } from '../../protocol/act.ts';
import { StoreDown } from '../../store/store-down.ts';
import type { Log } from '../log.ts';
import type { AuditTrail } from './audit-trail.ts';

/** Told acts that are remembered: the database knows all of them, and is only spared the question. */
const MAX_TOLD = 10_000;
/** One beyond these is not told, unless it happens again later. */
const MAX_WAITING = 1_000;
/** A database that is away costs a try of all that wait no more than one query. */
const RETRY_AT_MOST_MS = 5_000;
/** For another reason than that the database is away. */
const MAX_TRIES = 5;

/** The same task, type and `about` is told once. */
export type TellAct = (act: OutsideAct) => void;

export function createActTeller(audit: AuditTrail | undefined, log: Pick<Log, 'warn'>, retryAfterMs = 1_000): TellAct {
  if (audit === undefined) return () => undefined;
  const told = new LRUCache<string, true>({ max: MAX_TOLD });
  let waiting = 0;
  /** Once, however many acts wait, until one is written. */
  let hasWarned = false;

  async function write(trail: AuditTrail, act: OutsideAct): Promise<void> {
    for (let tries = 1, waitMs = retryAfterMs; ; tries += 1, waitMs = Math.min(2 * waitMs, RETRY_AT_MOST_MS)) {
      try {
        await trail.append(act);
        hasWarned = false;
        return;
      } catch (error) {
        if (!(error instanceof StoreDown) && tries >= MAX_TRIES) throw error;
        const { taskId, type } = act;
        if (!hasWarned) log.warn({ err: error, taskId, type }, 'the audit cannot be told now: it is tried again');
        hasWarned = true;
        await delay(waitMs, undefined, { ref: false });
      }
    }
  }

  return (act) => {
    const { taskId, type, about } = act;
    const name = JSON.stringify([taskId, type, about]);
    if (told.has(name)) return;
    if (waiting >= MAX_WAITING) {
      log.warn({ taskId, type }, 'the audit is away for too long: an act was not told');
      return;
    }
    told.set(name, true);
    waiting += 1;
    write(audit, act)
      .catch((error: unknown) => {
        told.delete(name);
        log.warn({ err: error, taskId, type }, 'an act could not be told to the audit');
      })
      .finally(() => (waiting -= 1));
  };
}
