/**
 * C36: behind a proxy that gives up silent answers and holds others back. Held calls and streams of task notifications
 * come through, and whatever becomes of a stream, its task goes on.
 *
 * Pace and leaks within one process: test/integration/push/listen-pace.test.ts. Every state of a task on the stream:
 * test/integration/push.
 *
 * Not tried: a proxy that waits for 60 s and a task that is silent for five minutes. A comment every 15 s is what counts, and
 * the proxy here gives up after 18 s, twice over. Nor a client that vanishes without a FIN, which takes as long as the kernel
 * tries to reach it: that its stream costs no memory meanwhile is in listen-pace, and LIMIT_STREAMS bounds how many there are.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { listen, type ListenStream } from '../../support/listen-client.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import { startTracked, type RoleProcess } from '../../support/processes.ts';
import { anAskingCall, kill9, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient, type TaskClient } from '../../support/task-client.ts';
import { verifies } from '../../support/verifies.ts';

/** Longer than the fronts stay silent, and the least that common proxies wait is longer still. */
const IDLE_MS = 18_000;
const HELD_SECONDS = 33;
const SILENCES = 2;
const ENDS_WITHIN_MS = 20_000;
const TOLD_WITHIN_MS = 5_000;

let product: Product;
let front: RoleProcess;
let url: string;
/** Another front of the same caller, without a proxy. */
let elsewhere: TaskClient;

beforeAll(async () => {
  product = await openProduct();
  const [first, second] = await Promise.all([product.startFront(), product.startFront(), product.startWorker()]);
  front = first;
  url = await proxied(front);
  elsewhere = createTaskClient(second.url);
}, 60_000);

/** The MCP endpoint of `target` through a proxy of its own. */
async function proxied(target: RoleProcess): Promise<string> {
  const port = String(await freePort());
  await startTracked({
    name: 'proxy',
    command: process.execPath,
    args: ['test/e2e/cases/support/buffering-proxy.js'],
    env: { PORT: port, TARGET_PORT: String(target.port), IDLE_MS: String(IDLE_MS) },
    isReady: (child) => child.output().includes('proxying'),
  });
  return `http://127.0.0.1:${port}/mcp`;
}

async function waitingTask(): Promise<string> {
  const taskId = await elsewhere.create('purchase_order', anAskingCall());
  await elsewhere.until(taskId, ['input_required'], ENDS_WITHIN_MS);
  return taskId;
}

/** By a client that takes no tasks. */
function heldCall(accept: string): Promise<McpAnswer> {
  const params = { name: 'slow_compute', arguments: { seconds: HELD_SECONDS, label: 'held' } };
  const signal = AbortSignal.timeout(2 * HELD_SECONDS * 1_000);
  return post(url, { method: 'tools/call', params, capabilities: {}, headers: { accept }, signal });
}

/** The task at the other end of `stream` is answered at another front, and the stream tells it to the end. */
async function expectTold(stream: ListenStream, taskId: string): Promise<void> {
  // It works until that has been told: of what is over before a front looks, only the end is.
  await product.erp.arm({ at: 'orders-before-accept', kind: 'hold' });
  await elsewhere.accept(taskId, { costCentre: '2100' });
  await eventually(() => stream.told(taskId).some(({ status }) => status === 'working'), TOLD_WITHIN_MS);
  await product.erp.untilHeld('orders-before-accept');
  await product.erp.release();
  const ended = await elsewhere.until(taskId, ['completed'], ENDS_WITHIN_MS);
  await eventually(() => stream.told(taskId).at(-1)?.status === 'completed', TOLD_WITHIN_MS);
  expect(ended).toMatchObject(stream.told(taskId).at(-1) ?? {});
}

describe('a proxy that gives up what is silent', () => {
  it('keeps a held call and a stream, and gives up only the client that takes no stream', async () => {
    verifies('http.sse');
    const taskId = await waitingTask();
    const stream = await listen(url, [taskId]);
    const [held, silent] = await Promise.all([
      heldCall('application/json, text/event-stream'),
      heldCall('application/json'),
    ]);
    expect(held.body.result.content[0].text).toBe(`held is done after ${String(HELD_SECONDS)} s.`);
    // Without this the proxy would prove nothing.
    expect(silent.status).toBe(504);
    await eventually(() => stream.comments.length >= SILENCES, IDLE_MS);
    expect(stream.frames).toHaveLength(2);
    await expectTold(stream, taskId);
    expect(await stream.ended).toBe('end');
  }, 90_000);
});

describe('a proxy that holds answers back', () => {
  it('lets each notification through as it comes', async () => {
    const taskId = await waitingTask();
    const stream = await listen(url, [taskId]);
    expect(stream.told(taskId).map(({ status }) => status)).toEqual(['input_required']);
    await expectTold(stream, taskId);
  });
});

describe('a stream behind a proxy whose front', () => {
  it('stops in order, ends with its result under its id', async () => {
    verifies('listen.end');
    const stopping = await product.startFront();
    const taskId = await waitingTask();
    const stream = await listen(await proxied(stopping), [taskId], { id: 'sub-1' });
    stopping.signal('SIGTERM');
    expect(await stream.ended).toBe('end');
    const last = stream.frames.at(-1);
    expect(last).toMatchObject({ id: 'sub-1', result: { resultType: 'complete' } });
    expect(JSON.stringify(last?.result)).toContain('"sub-1"');
    await elsewhere.cancel(taskId);
  });

  it('is killed breaks off, and is taken up elsewhere from the state as it is, whatever event id the client names', async () => {
    verifies('http.methods');
    const killed = await product.startFront();
    const taskId = await waitingTask();
    const cut = await listen(await proxied(killed), [taskId]);
    await kill9(killed);
    expect(await cut.ended).toBe('cut');
    const again = await listen(url, [taskId], { headers: { 'last-event-id': '5' } });
    expect(again.told(taskId)).toEqual(cut.told(taskId));
    await expectTold(again, taskId);
  });
});

describe('three hundred streams that are opened and dropped', () => {
  it('leave no connection and no task behind', async () => {
    const taskIds = await Promise.all([waitingTask(), waitingTask()]);
    const handles = async (): Promise<number> => (await readdir(`/proc/${String(front.pid)}/fd`)).length;
    const open = async (): Promise<number> => {
      const metrics = await (await fetch(`${front.url}/metrics`)).text();
      return Number(/^mcp_task_streams_open (\d+)$/m.exec(metrics)?.[1]);
    };
    await eventually(async () => (await open()) === 0);
    const before = await handles();
    for (let round = 0; round < 10; round += 1) {
      const streams = await Promise.all(Array.from({ length: 30 }, () => listen(url, taskIds)));
      for (const stream of streams) stream.close();
    }
    await eventually(async () => (await open()) === 0, ENDS_WITHIN_MS);
    await eventually(async () => (await handles()) <= before + 5, ENDS_WITHIN_MS);
    for (const taskId of taskIds) {
      expect((await elsewhere.get(taskId)).status).toBe('input_required');
      await elsewhere.cancel(taskId);
    }
  }, 60_000);
});
