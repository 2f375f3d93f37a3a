/**
 * Push: from the acknowledgement of a change to the client that hears of it, beside the raw history long poll on which it
 * rests. Run alone: `node --import tsx test/bench/push-latency.ts [tasks on each side]`.
 */
import { pathToFileURL } from 'node:url';
import { Connection, defaultPayloadConverter } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { taskInputSignal } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen-client.ts';
import type { Endings } from '../support/parts.ts';
import { startBenchSystem, type BenchSystem } from './bench-system.ts';
import { createAskingTasks, type AskingTask } from './bench-tasks.ts';
import { createMcpDoor, type McpDoor } from './mcp-door.ts';
import { printRow, printRowHeader } from './report.ts';
import { toRow, type Row, type Series } from './statistics.ts';

/** Answers one task; resolves with the ms from its acknowledgement until the change has been heard. */
type Side = (task: AskingTask) => Promise<number>;

const IN_FLIGHT = [1, 8];
/** It ends the task: nothing of the order is left to load the machine. */
const ANSWER = { action: 'decline' };
const WARM_UP = 3;
const HEARD_WITHIN_MS = 30_000;

/** Needs the worker of `system`, and makes its own tasks. */
export async function measurePush(system: BenchSystem, tasksPerSide: number): Promise<readonly Row[]> {
  const { front, store } = system;
  const door = createMcpDoor(front.origin, 16);
  const rows: Row[] = [];
  try {
    for (const inFlight of IN_FLIGHT) {
      const tasks = await createAskingTasks(door, 2 * (tasksPerSide + WARM_UP));
      const half = tasks.length / 2;
      const [listened, polled] = [tasks.slice(0, half), tasks.slice(half)];
      const ours = await openOurs(door, `${front.origin}/mcp`, listened);
      const raw = await openRaw(system);
      const { durations, elapsed } = await alternate([ours.side, raw.side], [listened, polled], inFlight);
      ours.close();
      await raw.close();
      const series = (index: 0 | 1): Series => ({ durationsMs: durations[index], elapsedMs: elapsed[index] });
      rows.push(toRow({ op: 'push', store, inFlight }, series(0), series(1)));
    }
  } finally {
    await door.close();
  }
  return rows;
}

/** One stream for all tasks, as a client that has many would have it. */
async function openOurs(
  door: McpDoor,
  url: string,
  tasks: readonly AskingTask[],
): Promise<{ side: Side; close(): void }> {
  const taskIds = tasks.map(({ taskId }) => taskId);
  const stream = await listen(url, taskIds);
  await eventually(() => stream.frames.length > taskIds.length, HEARD_WITHIN_MS);
  const waiting = new Map<string, (at: number) => void>();
  stream.onTask = ({ taskId }, at) => waiting.get(taskId)?.(at);
  return {
    close: () => stream.close(),
    side: async ({ taskId, key }) => {
      const heard = new Promise<number>((resolve) => waiting.set(taskId, resolve));
      await door.send({ method: 'tasks/update', params: { taskId, inputResponses: { [key]: ANSWER } } });
      const acknowledgedAt = performance.now();
      return Math.max((await heard) - acknowledgedAt, 0);
    },
  };
}

/** The calls of Temporal themselves, from this process. */
async function openRaw({ workflowIdOf }: BenchSystem): Promise<{ side: Side; close(): Promise<void> }> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect({ ...connectionOptions, interceptors: [] });
  const rpc = connection.workflowService;
  return {
    close: () => connection.close(),
    side: async ({ taskId, key }) => {
      const workflowId = workflowIdOf(taskId);
      const poll = (nextPageToken?: Uint8Array) =>
        rpc.getWorkflowExecutionHistory({
          namespace,
          execution: { workflowId },
          waitNewEvent: true,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        });
      let page = await poll();
      const changed = (async () => {
        do page = await poll(page.nextPageToken);
        while (!(page.history?.events ?? []).some((event) => event.workflowPropertiesModifiedEventAttributes != null));
        return performance.now();
      })();
      const input = defaultPayloadConverter.toPayload({ responses: { [key]: ANSWER }, receivedAt: Date.now() });
      await rpc.signalWorkflowExecution({
        namespace,
        workflowExecution: { workflowId },
        signalName: taskInputSignal.name,
        input: { payloads: [input] },
      });
      const acknowledgedAt = performance.now();
      return Math.max((await changed) - acknowledgedAt, 0);
    },
  };
}

/** The sides in turn, `inFlight` tasks at a time, so that whatever else the machine does falls on both alike. */
async function alternate(
  sides: readonly [Side, Side],
  tasks: readonly [readonly AskingTask[], readonly AskingTask[]],
  inFlight: number,
): Promise<{ durations: readonly [number[], number[]]; elapsed: readonly [number, number] }> {
  const durations: [number[], number[]] = [[], []];
  const elapsed: [number, number] = [0, 0];
  for (let done = 0; done < tasks[0].length; done += inFlight) {
    for (const index of [0, 1] as const) {
      const startedAt = performance.now();
      const heard = await Promise.all(tasks[index].slice(done, done + inFlight).map((task) => sides[index](task)));
      if (done < WARM_UP) continue;
      durations[index].push(...heard);
      elapsed[index] += performance.now() - startedAt;
    }
  }
  return { durations, elapsed };
}

/** Aimed at; a run never fails on it. */
export function printPush(rows: readonly Row[]): void {
  for (const row of rows) printRow(row);
  for (const { inFlight, ours, raw } of rows) {
    const [atP50, atP99] = [ours.p50Ms - raw.p50Ms, ours.p99Ms / raw.p99Ms];
    console.log(
      `push, ${inFlight} in flight: raw + ${atP50.toFixed(1)} ms at p50 (target: + 5), ` +
        `${atP99.toFixed(2)} x raw at p99 (target: 1.3)`,
    );
  }
}

async function main(): Promise<void> {
  const endings: Endings = [];
  try {
    const system = await startBenchSystem(endings);
    printRowHeader();
    printPush(await measurePush(system, Number(process.argv[2] ?? 100)));
  } finally {
    for (const end of endings) await end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
