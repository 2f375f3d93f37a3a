/** A task may ask for as long as it lives: what it hands to its next run does not grow with that. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { taskInputSignal, type ToolTaskInput } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

const KEYS = 400;
const ANSWER = accept({ go: true });

let bench: TaskBench;

beforeAll(async () => {
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities);
  await bench.startWorker();
});

/** The key of the one request in which the task asks for `run`. */
function keyOfRun(taskId: string, run: number): Promise<string> {
  return eventually(async () => {
    const task = await bench.get(taskId);
    expect(task.statusMessage).toContain(`Go on with run ${run}?`);
    return openKeys(task)[0] ?? false;
  }, 10_000);
}

describe('closed keys', () => {
  it('leave the input of the next run small, and a late answer to one of them changes nothing there', async () => {
    const taskId = await bench.create('close_keys', { run: 1, count: KEYS });
    const closedKey = await keyOfRun(taskId, 1);
    await bench.store.deliver(bench.caller, taskId, { [closedKey]: ANSWER });
    const key = await keyOfRun(taskId, 2);
    const handle = bench.service.client.getHandle(bench.workflowId(taskId));
    const { events } = await handle.fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.continuedExecutionRunId).not.toBe('');
    const [payload] = started?.input?.payloads ?? [];
    const input = (await bench.service.client.decode(payload)) as Required<ToolTaskInput>;
    const { acts, ...carried } = input.carried;
    // Each was asked and withdrawn.
    expect(input.carried.snapshot.rev).toBeGreaterThan(2 * KEYS);
    expect(JSON.stringify({ ...input, carried }).length).toBeLessThan(4_000);
    // What the audit has yet to be told is on its way, and as much as the outbox holds at most.
    expect(acts?.unsent.length).toBeLessThanOrEqual(100);

    const before = await bench.get(taskId);
    await handle.signal(taskInputSignal, { responses: { [closedKey]: ANSWER }, receivedAt: Date.now() });
    await eventually(async () => {
      const later = (await handle.fetchHistory()).events ?? [];
      const signalled = later.findIndex((event) => event.workflowExecutionSignaledEventAttributes != null);
      expect(signalled).toBeGreaterThan(0);
      expect(later.slice(signalled).some((event) => event.workflowTaskCompletedEventAttributes != null)).toBe(true);
    });
    expect(await bench.get(taskId)).toEqual(before);
    expect(await keyOfRun(taskId, 2)).toBe(key);

    await bench.store.deliver(bench.caller, taskId, { [key]: ANSWER });
    expect(await bench.until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'run 2' }] } });
  });
});
