import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../../protocol/task-state.ts';
import { createOutcomeCache } from '../../../../server/temporal/outcome-cache.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const RUNS = 120;

function completed(text: string): Outcome {
  return { status: 'completed', result: { content: [{ type: 'text', text }] } };
}

describe('the outcome cache', () => {
  // A string takes one byte a character, or two once one of them is not Latin.
  it.each([
    ['Latin', 'x', 1],
    ['other', '漢', 2],
  ])('holds the newest of many large outcomes in %s letters, and no more than its bytes', (_, letter, bytesEach) => {
    const chars = 600 * 1024;
    const cache = createOutcomeCache();
    for (let run = 0; run < RUNS; run += 1) cache.set(`run-${run}`, completed(letter.repeat(chars)));
    const held = Array.from({ length: RUNS }, (_, run) => cache.has(`run-${run}`));
    const heldCount = held.filter(Boolean).length;
    expect(heldCount * chars * bytesEach).toBeLessThanOrEqual(MAX_BYTES);
    expect(heldCount * chars * bytesEach).toBeGreaterThan(MAX_BYTES / 2);
    expect(held.lastIndexOf(false)).toBe(RUNS - heldCount - 1);
  });

  it('holds thousands of small ones, and not without end', () => {
    const cache = createOutcomeCache();
    for (let run = 0; run < 6_000; run += 1) cache.set(`run-${run}`, completed('done'));
    expect(cache.size).toBe(5_000);
    expect(cache.get('run-5999')).toEqual(completed('done'));
  });

  it('makes no room for one that would fill it alone', () => {
    const cache = createOutcomeCache();
    cache.set('small', completed('done'));
    cache.set('huge', completed('x'.repeat(MAX_BYTES)));
    expect([cache.has('small'), cache.has('huge')]).toEqual([true, false]);
  });
});
