import { setTimeout as delay } from 'node:timers/promises';
import { patiently } from './patience.js';

const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** What has been waited for so long is looked at less often: looking takes processors from what is looked at. */
const PAUSE_OF_WAITED = 0.1;

/** How long to wait before looking again for what has been waited for so long. */
export function pauseAfter(waitedMs: number, shortestMs = SHORTEST_PAUSE_MS): number {
  return Math.min(Math.max(waitedMs * PAUSE_OF_WAITED, shortestMs), LONGEST_PAUSE_MS);
}

/**
 * What `probe` returns, as soon as it neither throws nor returns `false`.
 * @throws what it threw last, once the deadline is over
 */
export async function eventually<T>(probe: () => T | Promise<T>, deadlineMs = 5_000): Promise<Exclude<T, false>> {
  const startedAt = performance.now();
  const endsAt = startedAt + patiently(deadlineMs);
  for (;;) {
    let reason: unknown = new Error(`not so within ${String(deadlineMs)} ms: ${probe.toString()}`);
    try {
      const value = await probe();
      if (value !== false) return value as Exclude<T, false>;
    } catch (error) {
      reason = error;
    }
    if (performance.now() >= endsAt) throw reason;
    await delay(pauseAfter(performance.now() - startedAt));
  }
}
