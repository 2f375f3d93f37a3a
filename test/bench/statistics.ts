/** From durations to the rows that a run prints and writes. */

export interface Summary {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

/** What one side of a comparison took: each call, and all of its rounds together. */
export interface Series {
  readonly durationsMs: readonly number[];
  readonly elapsedMs: number;
}

export interface Row {
  readonly op: string;
  /** What Temporal keeps its state in. */
  readonly store: string;
  readonly inFlight: number;
  readonly ours: Summary;
  readonly raw: Summary;
  /** Ours to raw; below 1 is faster than the raw call. */
  readonly ratioP50: number;
  /** Ours to raw, of calls per second; below 1 is less than the raw call. */
  readonly ratioRate: number;
}

/** By nearest rank: a value that was measured. @throws for no values */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new Error('There is no percentile of no values.');
  return value;
}

export function summarize({ durationsMs, elapsedMs }: Series): Summary {
  return {
    p50Ms: rounded(percentile(durationsMs, 50)),
    p99Ms: rounded(percentile(durationsMs, 99)),
    perSecond: rounded((durationsMs.length / elapsedMs) * 1_000),
  };
}

export function toRow(what: Pick<Row, 'op' | 'store' | 'inFlight'>, ours: Series, raw: Series): Row {
  const [our, their] = [summarize(ours), summarize(raw)];
  return {
    ...what,
    ours: our,
    raw: their,
    ratioP50: rounded(our.p50Ms / their.p50Ms),
    ratioRate: rounded(our.perSecond / their.perSecond),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
