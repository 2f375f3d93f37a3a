/** What a run prints. */
import { percentile, type Row, type Summary } from './statistics.ts';

/** What is aimed at; a run never fails on it. */
const TARGETS: Readonly<Record<string, { readonly text: string; readonly isMet: (row: Row) => boolean }>> = {
  create: { text: 'at most 1.2 x the raw start', isMet: ({ ratioP50 }) => ratioP50 <= 1.2 },
  'get-resting': {
    text: 'at most the raw describe + 2 ms',
    isMet: ({ ours, raw }) => ours.p50Ms <= raw.p50Ms + 2,
  },
};

export function printRowHeader(): void {
  console.log(
    `\n${'operation'.padEnd(13)}${'in flight'.padStart(10)}${head('ours')}${head('raw')}${'ratio p50'.padStart(12)}${'ratio rate'.padStart(12)}`,
  );
}

export function printRow(row: Row): void {
  const { op, inFlight, ours, raw, ratioP50, ratioRate } = row;
  // Temporal's own queue is part of the time when several calls are in flight, so the target is for one.
  const target = inFlight === 1 ? TARGETS[op] : undefined;
  const note = target === undefined ? '' : `  ${target.isMet(row) ? 'meets' : 'misses'}: ${target.text}`;
  console.log(
    `${op.padEnd(13)}${String(inFlight).padStart(10)}${cells(ours)}${cells(raw)}` +
      `${ratioP50.toFixed(2).padStart(12)}${ratioRate.toFixed(2).padStart(12)}${note}`,
  );
}

export function printWaits(what: string, target: string, durationsMs: readonly number[]): void {
  const [low, middle, high] = [0, 50, 100].map((percent) => percentile(durationsMs, percent).toFixed(0));
  console.log(`${what}: ${middle ?? ''} ms, from ${low ?? ''} to ${high ?? ''}  (target: ${target})`);
}

export function printMemory(when: string, front: number | undefined, worker: number | undefined): void {
  console.log(`resident memory ${when}: front ${mib(front)}, worker ${mib(worker)}`);
}

function head(side: string): string {
  return `${side} p50`.padStart(11) + 'p99'.padStart(9) + 'per s'.padStart(9);
}
function cells({ p50Ms, p99Ms, perSecond }: Summary): string {
  return p50Ms.toFixed(2).padStart(11) + p99Ms.toFixed(2).padStart(9) + perSecond.toFixed(0).padStart(9);
}
function mib(value: number | undefined): string {
  return value === undefined ? 'unknown here' : `${value} MiB`;
}
