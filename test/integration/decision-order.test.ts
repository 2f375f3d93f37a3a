/** I7 on a real server: what comes after the deadline while all workers are down. Each order of it: test/e2e/ending-orders.test.ts. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { taskInputSignal } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

let bench: TaskBench;
let worker: Awaited<ReturnType<TaskBench['startWorker']>>;

beforeAll(async () => {
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities);
});
beforeEach(async () => {
  worker = await bench.startWorker();
});

const ANSWER = accept({ cost_centre: 'CC-1', reason: 'new team' });
const TTL_MS = 8_000;

/** A task that waits for an answer, and no worker any more. */
async function waitingTask(): Promise<{ taskId: string; key: string }> {
  const taskId = await bench.create('ask_one', {}, { ttlMs: TTL_MS });
  const [key = ''] = openKeys(await bench.until(taskId, 'input_required'));
  await worker.stop();
  return { taskId, key };
}

const steps = {
  async answer({ taskId, key }: { taskId: string; key: string }) {
    await bench.store.deliver(bench.caller, taskId, { [key]: ANSWER });
  },
  /** The timer of the workflow has fired, as the history says. */
  async deadline({ taskId }: { taskId: string }) {
    const handle = bench.service.client.getHandle(bench.workflowId(taskId));
    await eventually(async () => {
      const { events } = await handle.fetchHistory();
      expect(events?.some((event) => event.timerFiredEventAttributes != null)).toBe(true);
    }, TTL_MS + 8_000);
  },
} as const;

describe('with all workers down', () => {
  it('an answer that slipped past the front after the deadline approves nothing', async () => {
    const task = await waitingTask();
    await steps.deadline(task);
    const handle = bench.service.client.getHandle(bench.workflowId(task.taskId));
    await handle.signal(taskInputSignal, { responses: { [task.key]: ANSWER }, receivedAt: 0 });
    await bench.startWorker();
    const ended = await bench.until(task.taskId, 'completed', 'failed', 'cancelled');
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: expect.stringContaining('expired at') },
    });
  });

  it('a late answer leaves no trace in the history', async () => {
    const task = await waitingTask();
    await steps.deadline(task);
    await steps.answer(task);
    const { events } = await bench.service.client.getHandle(bench.workflowId(task.taskId)).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes != null)).toEqual([]);
  });
});
