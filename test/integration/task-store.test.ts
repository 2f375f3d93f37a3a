import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { NewTask } from '../../server/task-store.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';
import { verifies } from '../support/verifies.ts';
import { testCaller } from '../support/test-caller.ts';

let bench: TaskBench;
beforeAll(async () => {
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities);
});

function waiting(more: Partial<NewTask>): NewTask {
  const features = { elicitationForm: true };
  return { tool: 'wait', args: { ms: 5 }, features, ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000, ...more };
}

describe('create', () => {
  it('is durable before it answers, with no worker', async () => {
    verifies('create.durable', 'create.consistent');
    const taskId = await bench.create('wait', { ms: 1 });
    expect(await bench.secondStore().get(bench.caller, taskId)).toMatchObject({ taskId, status: 'working' });
  });

  it('makes one task of fifty calls under one key over two fronts', async () => {
    const second = bench.secondStore();
    const calls = Array.from({ length: 50 }, (_, index) => index);
    const created = await Promise.all(
      calls.map((index) =>
        (index % 2 === 0 ? bench.store : second).create(bench.caller, waiting({ idempotencyKey: 'k-50' })),
      ),
    );
    expect(new Set(created.map(({ task }) => task.taskId)).size).toBe(1);
    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('finds a finished task under its key, and refuses other arguments', async () => {
    const worker = await bench.startWorker();
    const { task } = await bench.store.create(bench.caller, waiting({ idempotencyKey: 'k-1' }));
    await bench.until(task.taskId, 'completed');
    const again = await bench.store.create(bench.caller, waiting({ idempotencyKey: 'k-1' }));
    expect(again).toMatchObject({ isNew: false, task: { taskId: task.taskId, status: 'completed' } });
    const other = bench.store.create(bench.caller, waiting({ idempotencyKey: 'k-1', args: { ms: 6 } }));
    await expect(other).rejects.toMatchObject({ name: 'IdempotencyConflict' });
    await worker.stop();
  });

  it('keeps the keys of two callers apart', async () => {
    const other = testCaller('f'.repeat(32));
    const [mine, theirs] = await Promise.all([
      bench.store.create(bench.caller, waiting({ idempotencyKey: 'k-2' })),
      bench.store.create(other, waiting({ idempotencyKey: 'k-2' })),
    ]);
    expect(mine.task.taskId).not.toBe(theirs.task.taskId);
    await expect(bench.store.get(bench.caller, theirs.task.taskId)).rejects.toMatchObject({ name: 'TaskNotFound' });
  });
});

describe('what Temporal would not take', () => {
  it('is refused with its size, and nothing is started', async () => {
    const tooMuch = waiting({ args: { ms: 1, padding: 'x'.repeat(1_600_000) }, idempotencyKey: 'k-large' });
    await expect(bench.store.create(bench.caller, tooMuch)).rejects.toMatchObject({
      name: 'PayloadTooLarge',
      message: expect.stringMatching(/^The arguments take 16\d+ bytes; at most 1500000 are taken/),
    });
    const { isNew } = await bench.store.create(bench.caller, waiting({ idempotencyKey: 'k-large' }));
    expect(isNew).toBe(true);
  });

  it('is refused as an answer, and the question stays open', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('ask_one');
    const [key = ''] = openKeys(await bench.until(taskId, 'input_required'));
    const answer = bench.store.deliver(bench.caller, taskId, { [key]: accept({ reason: 'x'.repeat(300_000) }) });
    await expect(answer).rejects.toMatchObject({ name: 'PayloadTooLarge' });
    expect(openKeys(await bench.get(taskId))).toEqual([key]);
    await worker.stop();
  });
});

describe('get', () => {
  it('shows an acknowledged answer at once, to eight readers of two fronts, with workers up and down', async () => {
    const second = bench.secondStore();
    const readers = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? bench.store : second));
    const asked = async (): Promise<{ taskId: string; key: string }> => {
      const taskId = await bench.create('ask_two');
      const [key = ''] = openKeys(await bench.until(taskId, 'input_required'), 'size');
      return { taskId, key };
    };
    const answerThenRead = async ({ taskId, key }: Awaited<ReturnType<typeof asked>>): Promise<void> => {
      await bench.store.deliver(bench.caller, taskId, { [key]: accept({ size: 1 }) });
      const seen = await Promise.all(readers.map((store) => store.get(bench.caller, taskId)));
      for (const task of seen) {
        expect(task.status).toBe('input_required');
        expect(openKeys(task)).toHaveLength(1);
        expect(openKeys(task)).not.toContain(key);
      }
    };
    const worker = await bench.startWorker();
    for (let round = 0; round < 10; round += 1) await answerThenRead(await asked());
    const waitingOnes = await Promise.all(Array.from({ length: 10 }, asked));
    await worker.stop();
    for (const one of waitingOnes) await answerThenRead(one);
  }, 120_000);

  it('finds nothing under an unknown, a malformed and an expired id', async () => {
    verifies('get.unknown');
    const worker = await bench.startWorker();
    const taskId = await bench.create('wait', { ms: 1 });
    await bench.until(taskId, 'completed');
    const forgetful = bench.secondStore({ resultRetentionMs: 1 });
    for (const [store, id] of [
      [bench.store, 'A'.repeat(22)],
      [bench.store, '../../x'],
      [bench.store, `${taskId}/run`],
      [forgetful, taskId],
    ] as const) {
      await expect(store.get(bench.caller, id)).rejects.toMatchObject({ name: 'TaskNotFound' });
      await expect(store.cancel(bench.caller, id, '')).rejects.toMatchObject({ name: 'TaskNotFound' });
      await expect(store.deliver(bench.caller, id, {})).rejects.toMatchObject({ name: 'TaskNotFound' });
    }
    await worker.stop();
  });
});

describe('cancel and deliver', () => {
  it('on a finished task change nothing', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('wait', { ms: 1 });
    const ended = await bench.until(taskId, 'completed');
    await bench.store.cancel(bench.caller, taskId, 'late');
    await bench.store.deliver(bench.caller, taskId, { x: accept({}) });
    expect(await bench.get(taskId)).toEqual(ended);
    await worker.stop();
  });

  it('with unknown keys leave no trace in the history, and of their number one in the log', async () => {
    const logged: unknown[] = [];
    const store = bench.secondStore({ log: { debug: (line: unknown) => void logged.push(line) } });
    const worker = await bench.startWorker();
    const taskId = await bench.create('ask_one');
    await bench.until(taskId, 'input_required');
    const handle = bench.service.client.getHandle(bench.workflowId(taskId));
    const { historyLength } = await handle.describe();
    await store.deliver(bench.caller, taskId, { 'never-issued': accept({}), ['__proto__']: accept({}) });
    expect(logged).toEqual([{ taskId, ignoredCount: 2 }]);
    expect((await handle.describe()).historyLength).toBe(historyLength);
    await worker.stop();
  });

  it('lead to one terminal status that never changes, when cancel and the end race', async () => {
    verifies('status.terminal', 'cancel.cooperative');
    const worker = await bench.startWorker();
    for (let round = 0; round < 40; round += 1) {
      const taskId = await bench.create('with_effect', { effectMs: round, restMs: 0 });
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 90));
      await bench.store.cancel(bench.caller, taskId, 'race');
      const first = await bench.until(taskId, 'completed', 'cancelled');
      await bench.store.cancel(bench.caller, taskId, 'again');
      expect(await bench.get(taskId)).toEqual(first);
    }
    await worker.stop();
  }, 60_000);
});

describe('settle', () => {
  it('ends at the first of finished, question open, budget', async () => {
    const worker = await bench.startWorker();
    const asking = await bench.create('ask_one');
    expect((await bench.store.settle(bench.caller, asking, 30_000)).status).toBe('input_required');
    const short = await bench.create('wait', { ms: 1 });
    expect((await bench.store.settle(bench.caller, short, 30_000)).status).toBe('completed');
    const long = await bench.create('wait', { ms: 30_000 });
    const before = Date.now();
    expect((await bench.store.settle(bench.caller, long, 500)).status).toBe('working');
    expect(Date.now() - before).toBeGreaterThanOrEqual(490);
    await bench.store.cancel(bench.caller, long, 'end of test');
    await worker.stop();
  });

  it('asks Temporal once and is rung, instead of asking again and again', async () => {
    const taskId = await bench.create('wait', { ms: 1 });
    const { service } = bench;
    const longPoll = service.longPoll.bind(service);
    let pollCount = 0;
    service.longPoll = (run, endAt, signal) => {
      pollCount += 1;
      return longPoll(run, endAt, signal);
    };
    try {
      await bench.store.settle(bench.caller, taskId, 1_500);
    } finally {
      service.longPoll = longPoll;
    }
    expect(pollCount).toBeLessThanOrEqual(3);
  });

  it('stops when the caller goes away', async () => {
    const taskId = await bench.create('wait', { ms: 1 });
    const task = await bench.store.settle(bench.caller, taskId, 60_000, AbortSignal.timeout(100));
    expect(task.status).toBe('working');
  });
});
