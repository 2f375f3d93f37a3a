/** A worker that takes a workflow task and dies with it: until that task times out, Temporal buffers what arrives. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

/** Temporal's default for a workflow task, and a little. */
const TIMED_OUT_WITHIN_MS = 15_000;
const TEST_MS = 60_000;

let bench: TaskBench;
beforeAll(async () => {
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities);
});

/** A task with two open questions whose next workflow task is in dead hands; the first question is answered. */
async function inDeadHands(): Promise<{ taskId: string; openKey: string }> {
  const { service, store, caller } = bench;
  const worker = await bench.startWorker();
  const taskId = await bench.create('ask_two');
  const asked = await bench.until(taskId, 'input_required');
  const [[size = ''], [gift = '']] = [openKeys(asked, 'size'), openKeys(asked, 'gift')];
  await worker.stop();
  await store.deliver(caller, taskId, { [size]: accept({ size: 1 }) });
  const { namespace, taskQueue } = service;
  const request = { namespace, taskQueue: { name: taskQueue }, identity: 'takes it and dies' };
  const taken = await service.call((rpc) => rpc.pollWorkflowTaskQueue(request), 20_000);
  expect(taken.workflowExecution?.workflowId).toBe(bench.workflowId(taskId));
  return { taskId, openKey: gift };
}

describe('an answer that Temporal buffers behind the workflow task of a dead worker', () => {
  it(
    'is read at once at the front that took it, and at every other when that workflow task has timed out',
    async () => {
      const other = bench.secondStore();
      const { taskId, openKey } = await inDeadHands();
      expect(openKeys(await bench.get(taskId))).toEqual([openKey]);
      await bench.store.deliver(bench.caller, taskId, { [openKey]: accept({ gift: true }) });
      const [own, others] = await Promise.all([bench.get(taskId), other.get(bench.caller, taskId)]);
      expect([own.status, openKeys(own), openKeys(others)]).toEqual(['working', [], [openKey]]);
      await eventually(async () => {
        expect((await other.get(bench.caller, taskId)).status).toBe('working');
      }, TIMED_OUT_WITHIN_MS);
      await bench.startWorker();
      await bench.until(taskId, 'completed');
    },
    TEST_MS,
  );
});
