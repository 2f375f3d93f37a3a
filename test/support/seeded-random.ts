/** Chance that can be repeated. */

export interface SeededRandom {
  readonly seed: number;
  /** From 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Takes the seed from TEST_SEED, else a new one, and prints it, so that a failure can be played again. */
export function seededRandom(purpose: string, given?: number): SeededRandom {
  const seed = given ?? Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
  process.stderr.write(`${purpose}: TEST_SEED=${String(seed)}\n`);
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { seed, below, pick: (from) => from[below(from.length)] ?? from[0] };
}
