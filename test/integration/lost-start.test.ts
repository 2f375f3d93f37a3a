/** A start that Temporal took and whose reply never came: whether anybody can find the task decides what becomes of it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { fileURLToPath } from 'node:url';
import type { NewTask } from '../../server/task-store.ts';
import { eventually } from '../support/eventually.ts';
import { createRelay, type Relay } from '../support/relay.ts';
import { atScopeEnd } from '../support/scope.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { openTemporal, temporalAddress, type TestTemporal } from '../support/temporal.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

/** The budget of a call, and the first tries to cancel. */
const CANCELLED_WITHIN_MS = 30_000;
const TEST_MS = 60_000;

let relay: Relay;
let bench: TaskBench;
let direct: TestTemporal;

beforeAll(async () => {
  relay = await createRelay(Number(temporalAddress().split(':').at(-1)));
  atScopeEnd(() => relay.close());
  direct = await openTemporal();
  const path = fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, createLifecycleActivities().activities, `127.0.0.1:${String(relay.port)}`);
  // The connection stands before its replies are swallowed.
  await bench.create('wait', { ms: 1 });
});

function aWait(ms: number, more: Partial<NewTask> = {}): NewTask {
  const features = { elicitationForm: true };
  return { tool: 'wait', args: { ms }, features, ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000, ...more };
}

/** The runs of this bench whose task has the summary, past the relay. */
async function runsOf(summary: string): Promise<WorkflowExecutionDescription[]> {
  const runs = [];
  for await (const { workflowId } of direct.client.workflow.list({ query: `TaskQueue = "${bench.taskQueue}"` })) {
    const run = await direct.client.workflow.getHandle(workflowId).describe();
    if ((await run.staticSummary()) === summary) runs.push(run);
  }
  return runs;
}

const isAskedToCancel = ({ raw }: WorkflowExecutionDescription): boolean =>
  raw.workflowExtendedInfo?.cancelRequested === true;

describe('a start whose reply is lost', () => {
  it(
    'is an error to its caller; its task is cancelled without a key, and is found again under one',
    async () => {
      const keyed = aWait(20_000, { idempotencyKey: 'k-lost', summary: 'keyed' });
      relay.blackhole('toClient');
      const keyedStart = bench.store.create(bench.caller, keyed);
      const starts = [keyedStart, bench.store.create(bench.caller, aWait(20_000, { summary: 'keyless' }))];
      for (const { status, ...rest } of await Promise.allSettled(starts)) {
        expect({ status, ...rest }).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });
      }
      // Both run: what was lost is the reply.
      await eventually(async () => {
        expect([await runsOf('keyed'), await runsOf('keyless')]).toMatchObject([[{}], [{}]]);
      });

      await relay.restore();
      await eventually(async () => {
        expect((await runsOf('keyless')).map(isAskedToCancel)).toEqual([true]);
      }, CANCELLED_WITHIN_MS);
      expect((await runsOf('keyed')).map(isAskedToCancel)).toEqual([false]);
      const again = await bench.store.create(bench.caller, keyed);
      expect(again).toMatchObject({ isNew: false, task: { status: 'working' } });
    },
    TEST_MS,
  );
});
