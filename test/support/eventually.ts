import { setTimeout as delay } from 'node:timers/promises';
import { patiently } from './patience.js';

const EVERY_MS = 20;

/**
 * What `probe` returns, as soon as it neither throws nor returns `false`.
 * @throws what it threw last, once the deadline is over
 */
export async function eventually<T>(probe: () => T | Promise<T>, deadlineMs = 5_000): Promise<Exclude<T, false>> {
  const endsAt = performance.now() + patiently(deadlineMs);
  for (;;) {
    let reason: unknown = new Error(`not so within ${String(deadlineMs)} ms: ${probe.toString()}`);
    try {
      const value = await probe();
      if (value !== false) return value as Exclude<T, false>;
    } catch (error) {
      reason = error;
    }
    if (performance.now() >= endsAt) throw reason;
    await delay(EVERY_MS);
  }
}
