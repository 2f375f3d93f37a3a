import { LRUCache } from 'lru-cache';
import type { Outcome } from '../../protocol/task-state.ts';

const MAX_OUTCOMES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** How runs ended, by run id: a run is closed once, a reset makes another one. Bounded in number and in size. */
export function createOutcomeCache(): LRUCache<string, Outcome> {
  return new LRUCache({
    max: MAX_OUTCOMES,
    maxSize: MAX_BYTES,
    sizeCalculation: (outcome) => Buffer.byteLength(JSON.stringify(outcome)),
  });
}
