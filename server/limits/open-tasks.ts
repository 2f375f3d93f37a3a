/**
 * How many tasks of a caller have not ended: what Temporal's visibility counted last, and what this process has let
 * start since. It lags by design (visibility does, and other fronts start tasks too), so that no start waits for a count
 * while its caller is below the limit.
 */
import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import type { TaskStore } from '../task-store.ts';

interface Known {
  running: number;
  /** On the clock of `performance.now()`. */
  countedAt: number;
  /** Times of the starts that the count cannot be relied on to hold. */
  startedAt: number[];
  counting?: Promise<boolean> | undefined;
}

const MAX_CALLERS = 10_000;
/** A start may be missing for this long from what visibility counts. */
const VISIBLE_WITHIN_MS = 2_000;
/** How old a count may be: far from the limit, close to it (half of it and more), and beyond it. */
const FRESH_MS = { far: 60_000, close: 5_000, beyond: 1_000 };

export class OpenTasks {
  readonly #known = new LRUCache<string, Known>({ max: MAX_CALLERS });
  readonly #store: Pick<TaskStore, 'countOpen'>;
  readonly #limit: number;

  constructor(store: Pick<TaskStore, 'countOpen'>, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** Counts a start, if there may be one more. A count that cannot be had holds nobody up. */
  async admit(caller: Caller): Promise<boolean> {
    const known = this.#of(caller);
    if (estimateOf(known) >= this.#limit) {
      if (isOlder(known, FRESH_MS.beyond) && !(await this.#count(caller, known))) return true;
      if (estimateOf(known) >= this.#limit) return false;
    } else if (isOlder(known, estimateOf(known) * 2 >= this.#limit ? FRESH_MS.close : FRESH_MS.far)) {
      void this.#count(caller, known);
    }
    known.startedAt.push(performance.now());
    return true;
  }

  #of({ principal }: Caller): Known {
    const known = this.#known.get(principal) ?? { running: 0, countedAt: -Infinity, startedAt: [] };
    this.#known.set(principal, known);
    return known;
  }

  /** `false`: nobody could tell. Several who ask at once ask once. */
  async #count(caller: Caller, known: Known): Promise<boolean> {
    known.counting ??= this.#ask(caller, known).finally(() => (known.counting = undefined));
    return known.counting;
  }

  async #ask(caller: Caller, known: Known): Promise<boolean> {
    const askedAt = performance.now();
    try {
      known.running = await this.#store.countOpen(caller);
      known.startedAt = known.startedAt.filter((at) => at > askedAt - VISIBLE_WITHIN_MS);
      return true;
    } catch {
      // Whoever starts a task next meets the same outage, and is told.
      return false;
    } finally {
      known.countedAt = askedAt;
    }
  }
}

function estimateOf({ running, startedAt }: Known): number {
  return running + startedAt.length;
}

function isOlder({ countedAt }: Known, freshMs: number): boolean {
  return performance.now() - countedAt > freshMs;
}
