/**
 * Failed sign-ins by address. A front looks at no database to let somebody in: it remembers by itself whom it has to stop,
 * and learns of what other fronts have counted with the next failure from there.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { FailedSignIns } from '../auth/authenticate.ts';
import { msOverLimit } from './over-limit.ts';
import { createSharedCounter, type LimitsDatabase } from './shared-counter.ts';

export function createFailedSignIns(perMinute: number, database: LimitsDatabase | undefined): FailedSignIns {
  // The failure that is one too many blocks, so that the one before it is the last that is looked at.
  const failures = createSharedCounter({ name: 'sign-ins', points: perMinute - 1, seconds: 60 }, database);
  const blocked = new RateLimiterMemory({ points: 1, duration: 60 });
  return {
    async blockedForMs(address) {
      return (await blocked.get(address))?.msBeforeNext ?? 0;
    },
    async count(address) {
      const waitMs = await msOverLimit(failures, address);
      if (waitMs > 0) await blocked.block(address, waitMs / 1_000);
    },
  };
}
