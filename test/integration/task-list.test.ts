import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { parseKeyRing } from '../../encryption/key-ring.ts';
import type { ListedTask, TaskFilter } from '../../server/task-store.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { eventually } from '../support/eventually.ts';
import { atScopeEnd } from '../support/scope.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { testCaller } from '../support/test-caller.ts';

let bench: TaskBench;
let worker: Awaited<ReturnType<TaskBench['startWorker']>>;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./asking-workflows.ts', import.meta.url)), {});
  worker = await bench.startWorker();
}, 60_000);

async function all(size: number, principal = bench.caller.principal): Promise<readonly ListedTask[]> {
  const tasks: ListedTask[] = [];
  let token: string | undefined;
  do {
    const page = await bench.store.list(testCaller(principal), { size, ...(token === undefined ? {} : { token }) });
    expect(page.tasks.length).toBeLessThanOrEqual(size);
    tasks.push(...page.tasks);
    token = page.nextPageToken;
  } while (token !== undefined);
  return tasks;
}

it("lists a caller's own tasks once each, in pages: those that run, the newest first, then those that ended", async () => {
  const asking = await bench.create('ask_form', { form: 'approval' });
  const continued = await bench.create('go_on', { run: 1 });
  await bench.until(continued, 'completed');
  const cancelled = await bench.create('ask_form', { form: 'approval' });
  await bench.until(cancelled, 'input_required');
  await bench.store.cancel(bench.caller, cancelled, 'test');
  await bench.until(cancelled, 'cancelled');
  const newest = await bench.create('ask_form', { form: 'approval' });
  await bench.until(asking, 'input_required');
  await bench.until(newest, 'input_required');

  await eventually(async () => {
    expect((await all(2)).map(({ taskId, tool, status }) => [taskId, tool, status])).toEqual([
      [newest, 'ask_form', 'input_required'],
      [asking, 'ask_form', 'input_required'],
      [cancelled, 'ask_form', 'cancelled'],
      [continued, 'go_on', 'completed'],
    ]);
  }, 15_000);
  const [first] = await all(10);
  expect(first).toMatchObject({ statusMessage: 'Waiting for your answer: Your answer?', ttlMs: 60_000 });
  expect(await all(10, 'e'.repeat(32))).toEqual([]);

  const forgetful = bench.secondStore({ resultRetentionMs: 1 });
  const kept = (await forgetful.list(bench.caller, { size: 10 })).tasks.map(({ taskId }) => taskId);
  expect(kept).toEqual([newest, asking]);
});

it('lists only those that a filter asks for, by status, tool and time', async () => {
  const createdFrom = Date.now();
  const listed = async (filter: TaskFilter): Promise<readonly string[]> => {
    const { tasks } = await bench.store.list(bench.caller, { size: 100, filter: { createdFrom, ...filter } });
    return tasks.map(({ taskId }) => taskId);
  };
  const { service, store, caller } = bench;
  const asking = async (): Promise<string> => {
    const taskId = await bench.create('ask_form', { form: 'approval' });
    await bench.until(taskId, 'input_required');
    return taskId;
  };
  const completed = await bench.create('go_on', { run: 3 });
  await bench.until(completed, 'completed');
  const [asks, cancelled, failed] = [await asking(), await asking(), await asking()];
  await store.cancel(caller, cancelled, 'test');
  await bench.until(cancelled, 'cancelled');
  const workflowExecution = { workflowId: bench.workflowId(failed) };
  await service.call((rpc) => rpc.terminateWorkflowExecution({ namespace: service.namespace, workflowExecution }));
  await worker.stop();
  const works = await bench.create('ask_form', { form: 'approval' });

  await eventually(async () => {
    expect(await listed({})).toHaveLength(5);
    expect(await listed({ status: 'working' })).toEqual([works]);
    expect(await listed({ status: 'input_required' })).toEqual([asks]);
    expect(await listed({ status: 'completed' })).toEqual([completed]);
    expect(await listed({ status: 'cancelled' })).toEqual([cancelled]);
    expect(await listed({ status: 'failed' })).toEqual([failed]);
  }, 15_000);
  expect(await listed({ tool: 'go_on' })).toEqual([completed]);
  expect(await listed({ tool: 'go_on', status: 'failed' })).toEqual([]);
  const { createdAt } = await bench.get(works);
  expect(await listed({ createdFrom: Date.parse(createdAt) })).toEqual([works]);
  const earlier = await listed({ createdBefore: Date.parse(createdAt) });
  expect(earlier.toSorted()).toEqual([completed, asks, cancelled, failed].toSorted());
});

it('lists what it cannot decrypt by what Temporal keeps in clear, beside what it can', async () => {
  const caller = testCaller(randomBytes(16).toString('hex'));
  const call = { tool: 'ask_form', args: { form: 'approval' }, features: { elicitationForm: true } };
  const sizes = { ttlMs: 60_000, maxTtlMs: 120_000, pollIntervalMs: 1_000 };
  const underOther = await storeUnder(`other:${randomBytes(32).toString('base64')}`);
  const sealed = (await underOther.create(caller, { ...call, ...sizes })).task;
  const ended = (await underOther.create(caller, { ...call, ...sizes })).task;
  const { service } = bench;
  await service.call((rpc) =>
    rpc.terminateWorkflowExecution({
      namespace: service.namespace,
      workflowExecution: { workflowId: `mcp-task/${caller.principal}/${ended.taskId}` },
    }),
  );
  const open = (await bench.store.create(caller, { ...call, ...sizes })).task;

  const tasks = await eventually(async () => {
    const page = await bench.store.list(caller, { size: 10 });
    return page.tasks.length === 3 && page.tasks.at(-1)?.status === 'failed' && page.tasks;
  }, 15_000);
  const statusMessage = 'This server lacks the key under which the details of this task are encrypted';
  expect(tasks).toEqual([
    { ...open, tool: 'ask_form' },
    {
      taskId: sealed.taskId,
      tool: 'ask_form',
      status: 'working',
      statusMessage,
      createdAt: expect.stringMatching(/Z$/),
      lastUpdatedAt: expect.stringMatching(/Z$/),
      ttlMs: expect.closeTo(60_000, -4),
      pollIntervalMs: 1_000,
    },
    expect.objectContaining({ taskId: ended.taskId, tool: 'ask_form', status: 'failed' }),
  ]);
  expect(tasks[2]).not.toHaveProperty('statusMessage');
  for (const { taskId, createdAt } of [sealed, ended]) {
    const listed = tasks.find((task) => task.taskId === taskId);
    expect(Math.abs(Date.parse(listed!.createdAt) - Date.parse(createdAt))).toBeLessThan(60_000);
  }
});

/** A front whose ring holds another key. */
async function storeUnder(keys: string): Promise<TemporalTaskStore> {
  const service = TemporalService.connect(bench.taskQueue, undefined, parseKeyRing(keys));
  atScopeEnd(() => service.close());
  const principalRing = [randomBytes(32)] as const;
  return new TemporalTaskStore({ service, blobs: bench.blobs, principalRing, resultRetentionMs: 86_400_000 });
}
