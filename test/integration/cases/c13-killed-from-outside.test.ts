/**
 * C13: a workflow that is ended from outside, while it works and while it waits. Its caller hears of it in bounded time,
 * by an error in plain words, and what it had done is undone where code still runs.
 *
 * With no worker running, and a workflow task that fails on every attempt: test/integration/outside-hands.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { DetailedTask, JsonObject } from '../../../protocol/task.ts';
import { eventually } from '../../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../../support/task-bench.ts';
import { createLifecycleActivities } from '../lifecycle-activities.ts';
import { patiently } from '../../support/patience.js';

const STOPPED = 'The task was stopped by an operator. Call the tool again.';
/** What the store adds to a task's longest life before Temporal itself ends the run. */
const SETTLEMENT_GRACE_MS = 7 * 24 * 3_600_000;
const HEARD_WITHIN_MS = 1_000;
const LISTENED_MS = 60_000;

const outside = createLifecycleActivities();
let bench: TaskBench;

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('../lifecycle-workflows.ts', import.meta.url)), outside.activities);
  await bench.startWorker();
}, 60_000);

interface Shape {
  readonly tool: string;
  readonly args: JsonObject;
}
const WAITING: Shape = { tool: 'ask_one', args: {} };
/** Its activity has done its effect, and the body sleeps. */
const WORKING: Shape = { tool: 'with_effect', args: { effectMs: 0, restMs: 60_000 } };

async function running({ tool, args }: Shape, maxTtlMs?: number): Promise<string> {
  const taskId = await bench.create(tool, args, maxTtlMs === undefined ? {} : { maxTtlMs });
  if (tool === WAITING.tool) await bench.until(taskId, 'input_required');
  else await eventually(() => outside.live.has(taskId), 10_000);
  return taskId;
}

/** What a listener is told last; the end of the task ends its stream. */
async function lastTold(taskId: string): Promise<DetailedTask | undefined> {
  let last: DetailedTask | undefined;
  for await (const told of bench.store.watch(bench.caller, taskId, AbortSignal.timeout(LISTENED_MS))) last = told;
  return last;
}

describe.each([
  ['works', WORKING],
  ['waits for its caller', WAITING],
])('a task that %s', (_how, shape) => {
  it('is failed at once when its workflow is terminated, and says nothing of the reason', async () => {
    const taskId = await running(shape);
    const listening = lastTold(taskId);
    const startedAt = performance.now();
    await bench.service.client.getHandle(bench.workflowId(taskId)).terminate('because of secret-4711');
    const task = await bench.until(taskId, 'failed');
    expect(performance.now() - startedAt).toBeLessThan(patiently(HEARD_WITHIN_MS));
    expect(task).toMatchObject({ statusMessage: STOPPED, error: { code: -32603, message: STOPPED } });
    expect(JSON.stringify(task)).not.toContain('4711');
    expect(await listening).toEqual(task);
    await bench.store.cancel(bench.caller, taskId, 'late');
    await bench.store.deliver(bench.caller, taskId, { x: {} });
    expect(await bench.get(taskId)).toEqual(task);
  });

  it('is failed when its execution times out', async () => {
    const taskId = await running(shape, 10_000 - SETTLEMENT_GRACE_MS);
    const listening = lastTold(taskId);
    const task = await bench.until(taskId, 'failed');
    expect(task).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/expired.*Call the tool again/) },
    });
    expect(await listening).toEqual(task);
  });

  it('is cancelled with its clean-up done when its workflow is cancelled', async () => {
    const taskId = await running(shape);
    await bench.service.client.getHandle(bench.workflowId(taskId)).cancel();
    const task = await bench.until(taskId, 'cancelled', 'completed', 'failed');
    expect(task.status).toBe('cancelled');
    expect(outside.live.has(taskId)).toBe(false);
  });
});
