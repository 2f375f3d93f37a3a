/** What a call that is held with progress costs Temporal. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { waitForTask } from '../../server/wait-for-task.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

let bench: TaskBench;
beforeAll(async () => {
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities);
});

describe('waitForTask with progress', () => {
  it('reads the history once, and describes the task once for each report', async () => {
    const taskId = await bench.create('wait', { ms: 1 });
    const created = await bench.get(taskId);
    const { service, store, caller } = bench;
    const [call, longPoll] = [service.call.bind(service), service.longPoll.bind(service)];
    let [callCount, pollCount, reportCount] = [0, 0, 0];
    service.call = (run, budgetMs) => ((callCount += 1), call(run, budgetMs));
    service.longPoll = (run, endAt, signal) => ((pollCount += 1), longPoll(run, endAt, signal));
    const { signal } = new AbortController();
    const onProgress = async (): Promise<void> => void (reportCount += 1);
    try {
      const waiting = { signal, draining: signal, onProgress, progressIntervalMs: 100 };
      await waitForTask({ store, caller }, waiting, created, 5_000);
    } finally {
      Object.assign(service, { call, longPoll });
    }
    expect(reportCount).toBeGreaterThan(5);
    expect(pollCount).toBeLessThanOrEqual(3);
    // One more for each: the last report may not have been told, and the wait ends with a read.
    expect(callCount).toBeLessThanOrEqual(reportCount + 3);
  });
});
