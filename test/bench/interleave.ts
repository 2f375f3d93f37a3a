/** Two kinds of call beside each other, in turn, so that whatever else the machine does falls on both alike. */
import type { Series } from './statistics.ts';

/** One call. Rejects when it was not answered as it should be: an error answer is no measurement. */
export type Call = (index: number) => Promise<unknown>;

export interface Pair {
  readonly op: string;
  readonly ours: Call;
  readonly raw: Call;
  /** For operations that may be done any number of times: so many of each side come first, for all loads together. */
  readonly warmUpCount?: number;
}

export interface Load {
  readonly inFlight: number;
  /** For each side, besides the warm-up. */
  readonly callCount: number;
}

/** One at a time the sides change after each call; with more in flight, after so many for each. */
const ROUND_CALLS_PER_FLIGHT = 4;

export function roundSizeOf({ inFlight }: Load): number {
  return inFlight === 1 ? 1 : inFlight * ROUND_CALLS_PER_FLIGHT;
}

/** One at a time two medians of a few hundred calls differ by as much as what is looked for. */
const FREE_CALLS_FACTOR = 15;

/** As many calls as make the medians steady, where the operation may be done any number of times. */
export function loadOf({ warmUpCount }: Pair, { inFlight, callCount }: Load): Load {
  const isMore = warmUpCount !== undefined && inFlight === 1;
  return { inFlight, callCount: isMore ? callCount * FREE_CALLS_FACTOR : callCount };
}

/** Indices for each side, the warm-up included. */
export function callsOf(load: Load): number {
  const size = roundSizeOf(load);
  return Math.ceil(load.callCount / size) * size + warmUpCalls(load);
}

/** Index `first` and up go to the calls, which take them to tell their tasks apart. */
export async function interleave(pair: Pair, load: Load, first: number): Promise<{ ours: Series; raw: Series }> {
  const size = roundSizeOf(load);
  const sides = { ours: side(pair.ours, load.inFlight, first), raw: side(pair.raw, load.inFlight, first) };
  await sides.ours.run(warmUpCalls(load));
  await sides.raw.run(warmUpCalls(load));
  sides.ours.forget();
  sides.raw.forget();
  for (let done = 0; done < load.callCount; done += size) {
    await sides.ours.run(size);
    await sides.raw.run(size);
  }
  return { ours: sides.ours.series(), raw: sides.raw.series() };
}

/** What has just been started runs code that V8 has not compiled yet; a server that has served for a minute does not. */
export async function warmUp({ ours, raw, warmUpCount = 0 }: Pair): Promise<void> {
  for (let index = 0; index < warmUpCount; index += 1) {
    await ours(index);
    await raw(index);
  }
}

function warmUpCalls({ inFlight }: Load): number {
  return inFlight * 2 + 4;
}

function side(call: Call, inFlight: number, first: number) {
  let durationsMs: number[] = [];
  let elapsedMs = 0;
  let next = first;
  async function flight(end: number): Promise<void> {
    while (next < end) {
      const index = next;
      next += 1;
      const startedAt = performance.now();
      await call(index);
      durationsMs.push(performance.now() - startedAt);
    }
  }
  return {
    async run(count: number): Promise<void> {
      const end = next + count;
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: Math.min(inFlight, count) }, () => flight(end)));
      elapsedMs += performance.now() - startedAt;
    },
    forget(): void {
      durationsMs = [];
      elapsedMs = 0;
    },
    series: (): Series => ({ durationsMs, elapsedMs }),
  };
}
