/**
 * `npm run bench`: what the product adds to the raw calls of Temporal it rests on. Needs nothing but the Temporal CLI.
 * `-- --quick` for a short run, `-- --json FILE` for the rows. It measures and never fails on a speed.
 */
import { writeFile } from 'node:fs/promises';
import { readBenchOptions, type BenchOptions } from './bench-options.ts';
import { residentMiB, type Endings, type Part } from '../support/parts.ts';
import { startBenchSystem, type BenchSystem } from './bench-system.ts';
import { createAskingTasks, createFinishedTasks } from './bench-tasks.ts';
import { callsOf, interleave, loadOf, warmUp } from './interleave.ts';
import { createMcpDoor, type McpDoor } from './mcp-door.ts';
import { pairsOn, type Ground } from './operations.ts';
import { measurePush, printPush } from './push-latency.ts';
import { openRawTemporal } from './raw-temporal.ts';
import { printMemory, printRow, printRowHeader, printWaits } from './report.ts';
import { toRow, type Row } from './statistics.ts';
import { measureBudgetWaits, measureQuestionWaits } from './waits.ts';

const FINISHED_TASKS = 10;
const MAX_CONNECTIONS = 64;

async function showMemory(when: string, { front, worker }: BenchSystem): Promise<void> {
  printMemory(when, await residentMiB(front), await residentMiB(worker));
}

/** Everything that needs the worker, which is stopped afterwards. */
async function prepare(
  system: BenchSystem,
  door: McpDoor,
  options: BenchOptions,
): Promise<Pick<Ground, 'asking' | 'finished'> & { readonly pushed: readonly Row[] }> {
  await showMemory('at rest', system);
  printWaits(
    'a tool that asks gives its handle after',
    'within 300 ms',
    await measureQuestionWaits(door, options.questionWaits),
  );
  printWaits(
    'a 10 s job gives its handle after',
    'the budget of 1,000 ms ± 100',
    await measureBudgetWaits(door, options.budgetWaits),
  );
  const pushed = await measurePush(system, options.pushedTasks);
  const finished = await createFinishedTasks(door, FINISHED_TASKS);
  const asking = await createAskingTasks(door, options.openTaskCount);
  await showMemory(`with ${asking.length} open tasks`, system);
  await system.worker.child.end();
  return { asking, finished, pushed };
}

async function measure(ground: Ground, { loads }: BenchOptions, store: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  printRowHeader();
  for (const pair of pairsOn(ground)) {
    let first = 0;
    await warmUp(pair);
    for (const load of loads.map((each) => loadOf(pair, each))) {
      const { ours, raw } = await interleave(pair, load, first);
      first += callsOf(load);
      const row = toRow({ op: pair.op, store, inFlight: load.inFlight }, ours, raw);
      printRow(row);
      rows.push(row);
    }
  }
  return rows;
}

async function main(endings: Endings): Promise<void> {
  const options = readBenchOptions(process.argv.slice(2));
  const system = await startBenchSystem(endings);
  const { store, idleQueue, idleFront, bareFront, front, workflowIdOf } = system;
  const openDoor = ({ origin }: Part): McpDoor => createMcpDoor(origin, MAX_CONNECTIONS);
  const [door, idleDoor, bareDoor] = [openDoor(front), openDoor(idleFront), openDoor(bareFront)];
  const raw = await openRawTemporal(idleQueue);
  endings.unshift(async () => {
    await door.close();
    await idleDoor.close();
    await bareDoor.close();
    await raw.close();
  });
  console.log(`Temporal: ${store}`);
  const { pushed, ...tasks } = await prepare(system, door, options);
  const measured = await measure({ door: idleDoor, bareDoor, raw, ...tasks, workflowIdOf }, options, store);
  printPush(pushed);
  const rows = [...measured, ...pushed];
  if (options.jsonFile !== undefined) {
    await writeFile(options.jsonFile, `${JSON.stringify(rows, undefined, 2)}\n`);
    console.log(`\n${String(rows.length)} rows are in ${options.jsonFile}`);
  }
}

const endings: Endings = [];
let ended: Promise<void> | undefined;

/** Once, whoever asks first: the end of the run or a signal. */
function endAll(): Promise<void> {
  ended ??= (async () => {
    for (const end of endings) await end();
  })();
  return ended;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void endAll().finally(() => process.exit(1));
  });
}
try {
  await main(endings);
} finally {
  await endAll();
}
