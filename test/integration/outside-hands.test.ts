/** What an operator, the Temporal command line or a bug does to a run, as its caller sees it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

const SETTLEMENT_GRACE_MS = 7 * 24 * 3_600_000;
const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
let bench: TaskBench;

beforeAll(async () => {
  bench = await openTaskBench(path('./lifecycle-workflows.ts'), createLifecycleActivities().activities);
});

describe('a run that somebody else ends', () => {
  it('is failed with a plain text when it was terminated, with no worker running', async () => {
    const taskId = await bench.create('ask_one');
    await bench.service.client.getHandle(bench.workflowId(taskId)).terminate('operator: secret reason');
    const task = await bench.get(taskId);
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: 'The task was stopped by an operator. Call the tool again.' },
    });
  });

  it('is failed when its execution time is over, with no worker running', async () => {
    const taskId = await bench.create('ask_one', {}, { maxTtlMs: 1_500 - SETTLEMENT_GRACE_MS });
    const task = await bench.until(taskId, 'failed');
    expect(task).toMatchObject({ error: { code: -32603, message: expect.stringContaining('expired') } });
  });

  it('is counted as failed, whoever ended it, and no longer as what it was last', async () => {
    const tool = 'report_often';
    const counted = async (): Promise<object> =>
      Object.fromEntries((await bench.service.countTasks([tool])).map(({ status, count }) => [status, count]));
    const create = (maxTtlMs: number): Promise<string> => bench.create(tool, { times: 1 }, { maxTtlMs });
    const [terminated] = await Promise.all([create(60_000), create(1_500 - SETTLEMENT_GRACE_MS), create(60_000)]);
    await bench.service.client.getHandle(bench.workflowId(terminated)).terminate();
    await eventually(async () => {
      expect(await counted()).toEqual({ working: 1, input_required: 0, completed: 0, failed: 2, cancelled: 0 });
    }, 15_000);
  });

  it('is cancelled with its clean-up done when it was cancelled from the Temporal side', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('ask_one');
    await bench.until(taskId, 'input_required');
    await bench.service.client.getHandle(bench.workflowId(taskId)).cancel();
    await bench.until(taskId, 'cancelled');
    await worker.stop();
  });
});

describe('a run that no worker can carry on', () => {
  it('stays working, says so to its caller and leaks nothing of the bug', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('cannot_replay');
    await eventually(async () => {
      expect((await bench.get(taskId)).statusMessage).toMatch(/cannot continue this task at the moment/);
    }, 25_000);
    const task = await bench.get(taskId);
    expect(task.status).toBe('working');
    expect(JSON.stringify(task)).not.toMatch(/TypeError|postgres/);
    await bench.service.client.getHandle(bench.workflowId(taskId)).terminate();
    await worker.stop();
  });

  it('of a tool that the worker does not know goes on when one that does is deployed', async () => {
    const old = await bench.startWorker(path('./older-workflows.ts'));
    const taskId = await bench.create('wait', { ms: 1 });
    const handle = bench.service.client.getHandle(bench.workflowId(taskId));
    await eventually(async () => {
      const { events } = await handle.fetchHistory();
      const failed = events?.find((event) => event.workflowTaskFailedEventAttributes != null);
      const encoded = failed?.workflowTaskFailedEventAttributes?.failure?.encodedAttributes;
      expect(await bench.service.client.decode(encoded)).toMatchObject({
        message: expect.stringContaining('No task tool is named wait'),
      });
    });
    await old.stop();
    await bench.startWorker();
    await bench.until(taskId, 'completed');
  });
});
