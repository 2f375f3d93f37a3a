/** Changes that reach a listener on other ways than a plain snapshot in the history. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../../protocol/task.ts';
import type { Front } from '../../../server/front.ts';
import { eventually } from '../../support/eventually.ts';
import { listen, type ListenStream } from '../../support/listen-client.ts';
import { post } from '../../support/mcp-request.ts';
import { callsDuring } from '../../support/recorded-calls.ts';
import { keysOf } from '../../support/task-journal.ts';
import { resetToFirstStep } from '../../support/reset-to-first-step.ts';
import { accept } from '../../support/task-bench.ts';
import { outOfOrder } from './in-order.ts';
import { possibleStates } from './possible-states.ts';
import { openPushBench, type PushBench } from './push-bench.ts';

let bench: PushBench;
let front: Front;
beforeAll(async () => {
  bench = await openPushBench();
  front = await bench.startFront();
});

const messages = (stream: ListenStream, taskId: string): (string | undefined)[] =>
  stream.told(taskId).map(({ statusMessage }) => statusMessage);
const openKeys = (stream: ListenStream, taskId: string): readonly string[] => {
  const last = stream.told(taskId).at(-1);
  return last === undefined ? [] : keysOf(last);
};

describe('a listener', () => {
  it('sees what an activity tells by heartbeats alone, then the cancel request, then the end', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('write_pages', { pages: 50 });
    const stream = await listen(front.url, [taskId]);
    await eventually(
      () => new Set(messages(stream, taskId).filter((message) => message?.includes(' of 50 pages'))).size >= 2,
      30_000,
    );
    await post(front.url, { method: 'tasks/cancel', params: { taskId } });
    expect(await stream.ended).toBe('end');
    const told = messages(stream, taskId);
    const pages = told.flatMap((message) => /^(\d+) of 50 pages$/.exec(message ?? '')?.[1] ?? []).map(Number);
    expect(pages).toEqual([...new Set(pages)].toSorted((one, other) => one - other));
    const cancelledFrom = told.findIndex((message) => message?.startsWith('Cancellation requested'));
    expect(cancelledFrom).toBeGreaterThan(0);
    const after = told.slice(cancelledFrom, -1);
    expect(after.filter((message) => message?.startsWith('Cancellation requested') !== true)).toEqual([]);
    expect(stream.told(taskId).at(-1)).toEqual(await bench.get(taskId));
    await worker.stop();
  }, 60_000);

  it('is told the end of a task that was followed by what its history says, without another call', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('ask_at_once');
    const asked = await bench.until(taskId, 'input_required');
    const [store, told] = [bench.secondStore(), [] as DetailedTask[]];
    const states = bench.store.watch(bench.caller, taskId, new AbortController().signal)[Symbol.asyncIterator]();
    await states.next();
    const calls = await callsDuring(bench.service, async () => {
      const answers = Object.fromEntries(keysOf(asked).map((key) => [key, accept({ ok: true })]));
      await store.deliver(bench.caller, taskId, answers);
      for (let step = await states.next(); step.done !== true; step = await states.next()) told.push(step.value);
    });
    expect(told.at(-1)).toMatchObject({ status: 'completed' });
    expect(told.at(-1)).toEqual(await store.get(bench.caller, taskId));
    expect(new Set(calls)).toEqual(new Set(['getWorkflowExecutionHistory']));
    await worker.stop();
  }, 60_000);

  it('shares one history long poll with all who watch the same task in its process', async () => {
    const taskId = await bench.create('wait');
    const leaving = new AbortController();
    const watchers = [1, 2, 3].map(() =>
      bench.store.watch(bench.caller, taskId, leaving.signal)[Symbol.asyncIterator](),
    );
    const nextOfAll = async (): Promise<unknown> => Promise.all(watchers.map((watcher) => watcher.next()));
    const { service } = bench;
    const longPoll = service.longPoll.bind(service);
    let [open, most] = [0, 0];
    service.longPoll = async (run, endAt, signal) => {
      open += 1;
      most = Math.max(most, open);
      return longPoll(run, endAt, signal).finally(() => (open -= 1));
    };
    try {
      await nextOfAll();
      const told = nextOfAll();
      await bench.secondStore().cancel(bench.caller, taskId, 'enough');
      await told;
      leaving.abort();
      await nextOfAll();
      await eventually(() => open === 0);
    } finally {
      Object.assign(service, { longPoll });
    }
    expect(most).toBe(1);
  }, 60_000);

  it('hears of a cancel request while no worker runs', async () => {
    const taskId = await bench.create('wait');
    const stream = await listen(front.url, [taskId]);
    await post(front.url, { method: 'tasks/cancel', params: { taskId } });
    await eventually(() => messages(stream, taskId).at(-1) === 'Cancellation requested', 10_000);
    const worker = await bench.startWorker();
    expect(await stream.ended).toBe('end');
    expect(stream.told(taskId).at(-1)).toMatchObject({ status: 'cancelled' });
    await worker.stop();
  }, 60_000);

  it('follows a task over runs that continue as new, though it came while one of them stood still', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('go_on', { run: 1 });
    const early = await listen(front.url, [taskId]);
    await eventually(() => openKeys(early, taskId).length === 1, 20_000);
    await bench.accept(front.url, taskId, openKeys(early, taskId));
    await eventually(() => new Set(early.told(taskId).flatMap(keysOf)).size === 2, 20_000);
    const late = await listen(front.url, [taskId]);
    await eventually(() => openKeys(late, taskId).length === 1, 20_000);
    await bench.accept(front.url, taskId, openKeys(late, taskId));
    await eventually(() => new Set(late.told(taskId).flatMap(keysOf)).size === 2, 20_000);
    await bench.accept(front.url, taskId, openKeys(late, taskId));
    expect(await Promise.all([early.ended, late.ended])).toEqual(['end', 'end']);
    expect(new Set(early.told(taskId).flatMap(keysOf)).size).toBe(3);
    for (const stream of [early, late]) expect(stream.told(taskId).at(-1)).toEqual(await bench.get(taskId));
    await worker.stop();
  }, 60_000);

  it('follows a task whose history is larger than 4 MB, from its start and from late on', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create(
      'be_bulky',
      { snapshots: 110, bytes: 40_000 },
      { ttlMs: 600_000, maxTtlMs: 900_000 },
    );
    const early = await listen(front.url, [taskId]);
    await eventually(() => openKeys(early, taskId).length === 1, 60_000);
    const { historySizeBytes } = (
      await bench.service.call((rpc) =>
        rpc.describeWorkflowExecution({
          namespace: bench.service.namespace,
          execution: { workflowId: bench.workflowId(taskId) },
        }),
      )
    ).workflowExecutionInfo ?? { historySizeBytes: 0 };
    expect(Number(historySizeBytes)).toBeGreaterThan(4 * 1_024 * 1_024);
    const late = await listen(front.url, [taskId]);
    await eventually(() => openKeys(late, taskId).length === 1);
    await bench.accept(front.url, taskId, openKeys(late, taskId));
    expect(await Promise.all([early.ended, late.ended])).toEqual(['end', 'end']);
    const { states } = await possibleStates(bench, taskId);
    for (const stream of [early, late]) {
      // No diff of forty kilobytes a state.
      expect(outOfOrder(stream.told(taskId), states).map(({ lastUpdatedAt }) => lastUpdatedAt)).toEqual([]);
      expect(stream.told(taskId).at(-1)).toEqual(await bench.get(taskId));
    }
    expect(early.told(taskId).length).toBeGreaterThan(50);
    await worker.stop();
  }, 120_000);

  it('follows a task that an operator resets, whose states count from lower again', async () => {
    const worker = await bench.startWorker();
    const taskId = await bench.create('ask_twice');
    const stream = await listen(front.url, [taskId]);
    await eventually(() => openKeys(stream, taskId).length === 1, 20_000);
    await bench.accept(front.url, taskId, openKeys(stream, taskId));
    await eventually(() => new Set(stream.told(taskId).flatMap(keysOf)).size === 2, 20_000);
    await resetToFirstStep(bench.service, bench.workflowId(taskId));
    await eventually(() => new Set(stream.told(taskId).flatMap(keysOf)).size === 3, 20_000);
    expect(openKeys(stream, taskId)[0]).toMatch(/^form-/);
    await post(front.url, { method: 'tasks/cancel', params: { taskId } });
    expect(await stream.ended).toBe('end');
    await worker.stop();
  }, 60_000);
});
