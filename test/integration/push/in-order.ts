import { isDeepStrictEqual } from 'node:util';
import type { DetailedTask } from '../../../protocol/task.ts';

/**
 * What of `told` cannot have been said at its place: each must be a state that is possible at or behind that of the one before.
 * States that look the same are told once, so the earliest that fits is taken.
 */
export function outOfOrder(told: readonly DetailedTask[], states: readonly DetailedTask[]): readonly DetailedTask[] {
  let from = 0;
  return told.filter((task) => {
    const index = states.findIndex((state, place) => place >= from && isDeepStrictEqual(state, task));
    if (index >= 0) from = index;
    return index < 0;
  });
}
