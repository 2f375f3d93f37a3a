/** G9: tasks that wait for an answer are rows in Temporal. No worker works for them, and their histories do not grow. */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Child } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { anAskingCall, openProduct } from '../support/product.ts';
import { runRounds } from '../support/rounds.ts';
import { createTaskClient } from '../support/task-client.ts';
import { openTemporal } from '../support/temporal.ts';

const TASKS = 100;
const CREATES_AT_ONCE = 10;
const SETTLES_WITHIN_MS = 60_000;
const WATCHED_MS = 5_000;
/** Of a processor, in all: polling Temporal and reporting metrics. One loop over the tasks would take ten times as much. */
const WORKER_CPU_MS = 500;
const TICK_MS = 10;

/** User and system time, as Linux counts it in hundredths of a second: proc(5), after the name in parentheses. */
async function cpuMsOf({ pid }: Child): Promise<number> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

it('waiting costs a worker nothing', async () => {
  const product = await openProduct();
  const [front, worker, { client: temporal }] = await Promise.all([
    product.startFront(),
    product.startWorker(),
    openTemporal(),
  ]);
  const client = createTaskClient(front.url);
  await runRounds(TASKS, CREATES_AT_ONCE, async () => {
    await client.until(await client.create('purchase_order', anAskingCall()), ['input_required'], SETTLES_WITHIN_MS);
  });
  const query = `TaskQueue = '${product.env['TASK_QUEUE'] ?? ''}'`;
  const ids = await eventually(async () => {
    const found: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query })) found.push(workflowId);
    return found.length === TASKS && found;
  }, SETTLES_WITHIN_MS);
  const lengths = async (): Promise<readonly number[]> => {
    const described = await Promise.all(ids.map((id) => temporal.workflow.getHandle(id).describe()));
    return described.map(({ historyLength }) => historyLength);
  };

  const before = { lengths: await lengths(), cpuMs: await cpuMsOf(worker) };
  const watchedFrom = performance.now();
  await eventually(() => performance.now() >= watchedFrom + WATCHED_MS, 2 * WATCHED_MS);
  expect((await cpuMsOf(worker)) - before.cpuMs).toBeLessThan(WORKER_CPU_MS);
  expect(await lengths()).toEqual(before.lengths);
}, 120_000);
