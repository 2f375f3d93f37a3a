/**
 * Tells the open pages of this front which approvals have changed, whichever process has changed them: one look at the database
 * a second for all pages together, and none while no page is open. A look also works through a pooler of connections, which
 * `LISTEN` does not.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalChange, ApprovalChanges } from '../../protocol/approval-queue.ts';
import type { Log } from '../log.ts';

/** `anything`: nobody knows what was missed. */
export type Told = readonly ApprovalChange[] | 'anything';

export interface ApprovalWatch {
  /** @returns how to end it */
  watch(tell: (told: Told) => void): () => void;
}

export interface ApprovalWatchParts {
  readonly changes: ApprovalChanges;
  readonly log: Pick<Log, 'debug'>;
  /** Default: a second. */
  readonly everyMs?: number;
  /** After a longer one, such as that of a frozen process, what was missed is in no look any more. Default: ten seconds. */
  readonly maxSilenceMs?: number;
}

const LOOK_EVERY_MS = 1_000;
/** Of the looks at one change. The row is written a moment before its task shows the same, so once is not enough. */
const TOLD_AT: ReadonlySet<number> = new Set([0, 1, 4]);
const MAX_SILENCE_MS = 10_000;

export function createApprovalWatch(parts: ApprovalWatchParts): ApprovalWatch {
  const { changes, log, everyMs = LOOK_EVERY_MS, maxSilenceMs = MAX_SILENCE_MS } = parts;
  const watchers = new Set<(told: Told) => void>();
  let isLooking = false;
  let looks: ReadonlyMap<string, number> = new Map();

  function tellAll(told: Told): void {
    for (const tell of watchers) tell(told);
  }

  async function lookOnce(): Promise<Told> {
    const recent = await changes.recent();
    looks = new Map(recent.map(({ changeId }) => [changeId, (looks.get(changeId) ?? -1) + 1]));
    return recent.filter(({ changeId }) => TOLD_AT.has(looks.get(changeId) ?? 0));
  }

  async function keepLooking(): Promise<void> {
    let seenAt = performance.now();
    while (watchers.size > 0) {
      try {
        const told = await lookOnce();
        const isLate = performance.now() - seenAt > maxSilenceMs;
        seenAt = performance.now();
        if (isLate || told.length > 0) tellAll(isLate ? 'anything' : told);
      } catch (err) {
        log.debug({ err }, 'open pages are not told of changes: the database does not answer');
      }
      await delay(everyMs, undefined, { ref: false });
    }
    isLooking = false;
  }

  return {
    watch(tell) {
      watchers.add(tell);
      if (!isLooking) {
        isLooking = true;
        void keepLooking();
      }
      return () => watchers.delete(tell);
    },
  };
}
