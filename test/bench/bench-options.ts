import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Where the rows are written to, besides the terminal. */
  readonly jsonFile: string | undefined;
  /** Tasks that ask and stay open: for the memory, and then for the answers. */
  readonly openTaskCount: number;
  /** Calls for each side, by calls in flight. */
  readonly loads: readonly { readonly inFlight: number; readonly callCount: number }[];
  readonly budgetWaits: number;
  readonly questionWaits: number;
  /** Tasks whose change is heard by push, and as many by the raw poll. */
  readonly pushedTasks: number;
}

const FULL = {
  openTaskCount: 1_000,
  loads: [
    { inFlight: 1, callCount: 100 },
    { inFlight: 8, callCount: 128 },
    { inFlight: 32, callCount: 128 },
  ],
  budgetWaits: 6,
  questionWaits: 20,
  pushedTasks: 60,
};
const QUICK = {
  openTaskCount: 160,
  loads: [
    { inFlight: 1, callCount: 20 },
    { inFlight: 8, callCount: 32 },
  ],
  budgetWaits: 2,
  questionWaits: 5,
  pushedTasks: 10,
};

/** @throws for an argument that is not known */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  return { jsonFile: values.json, ...(values.quick ? QUICK : FULL) };
}
