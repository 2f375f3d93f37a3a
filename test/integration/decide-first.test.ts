/**
 * I7 for a body that an activity resumes in the very activation that brings a cancel or the deadline: it acts no more. All
 * workers are down while these come together.
 */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { TaskSnapshot } from '../../protocol/task-state.ts';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

const world = createLifecycleActivities();
let bench: TaskBench;
let worker: Awaited<ReturnType<TaskBench['startWorker']>>;

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url)), world.activities);
});
beforeEach(async () => {
  worker = await bench.startWorker();
});

const TTL_MS = 8_000;
/** Not over before a worker has come back, however slow the machine is. */
const LONG_TTL_MS = 50_000;
type Act = 'effect' | 'extend' | 'continueAs';

interface Traces {
  readonly activities: number;
  readonly isContinued: boolean;
  readonly ttlMs: number;
}

/** A task whose body waits for an activity that no worker holds, and no worker any more. */
async function waitingTask(act: Act, ttlMs: number): Promise<string> {
  const taskId = await bench.create('act_when_resumed', { act }, { ttlMs });
  await eventually(() => world.leftOpen.has(taskId));
  await worker.stop();
  return taskId;
}

async function firstRun(taskId: string): Promise<{ runId: string; has: (attributes: string) => Promise<boolean> }> {
  const { client } = bench.service;
  const { runId } = await client.getHandle(bench.workflowId(taskId)).describe();
  const has = async (attributes: string): Promise<boolean> => {
    const { events } = await client.getHandle(bench.workflowId(taskId), runId).fetchHistory();
    return events?.some((event) => (event as Record<string, unknown>)[attributes] != null) ?? false;
  };
  return { runId, has };
}

/** What the body of this run did: its first activity is the one that it waited for. */
async function tracesOf(taskId: string, runId: string): Promise<Traces> {
  const handle = bench.service.client.getHandle(bench.workflowId(taskId), runId);
  const { events = [] } = await handle.fetchHistory();
  const { memo } = await handle.describe();
  return {
    activities: (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes != null).length,
    isContinued: (events ?? []).some((event) => event.workflowExecutionContinuedAsNewEventAttributes != null),
    ttlMs: (memo?.['task'] as TaskSnapshot).ttlMs,
  };
}

const steps = {
  async resume(taskId: string) {
    const { namespace } = bench.service;
    const where = { namespace, workflowId: bench.workflowId(taskId), activityId: '1' };
    await bench.service.call((rpc) => rpc.respondActivityTaskCompletedById(where));
  },
  async cancel(taskId: string) {
    await bench.store.cancel(bench.caller, taskId, 'test');
  },
  /** The timer of the workflow has fired, as the history says. */
  async deadline(taskId: string) {
    const { has } = await firstRun(taskId);
    await eventually(() => has('timerFiredEventAttributes'), TTL_MS + 8_000);
  },
} as const;
type Step = keyof typeof steps;

const ACTS: readonly Act[] = ['effect', 'extend', 'continueAs'];
const NO_TRACES = { activities: 1, isContinued: false };
const TRACES: Readonly<Record<Act, Traces>> = {
  effect: { activities: 2, isContinued: false, ttlMs: LONG_TTL_MS },
  extend: { activities: 2, isContinued: false, ttlMs: LONG_TTL_MS + 60_000 },
  continueAs: { activities: 1, isContinued: true, ttlMs: LONG_TTL_MS },
};

describe.each(ACTS)('%s after an activity', (act) => {
  it.each<[readonly Step[], string]>([
    [['resume', 'cancel'], 'cancelled'],
    [['cancel', 'resume'], 'cancelled'],
    [['resume', 'deadline'], 'failed'],
    [['deadline', 'resume'], 'failed'],
  ])('does nothing when one activation brings %j: the task is %s', async (order, status) => {
    const ttlMs = order.includes('deadline') ? TTL_MS : LONG_TTL_MS;
    const taskId = await waitingTask(act, ttlMs);
    const { runId } = await firstRun(taskId);
    for (const step of order) await steps[step](taskId);
    await bench.startWorker();
    const ended = await bench.until(taskId, 'completed', 'failed', 'cancelled');
    expect(ended.status).toBe(status);
    expect(await tracesOf(taskId, runId)).toEqual({ ...NO_TRACES, ttlMs });
    expect(world.started.has(taskId)).toBe(false);
  });

  it('is done when nothing else has come', async () => {
    const taskId = await waitingTask(act, LONG_TTL_MS);
    const { runId } = await firstRun(taskId);
    await steps.resume(taskId);
    await bench.startWorker();
    await eventually(async () => {
      expect(await tracesOf(taskId, runId)).toEqual(TRACES[act]);
    }, 10_000);
    await bench.store.cancel(bench.caller, taskId, 'end of test');
  });
});
