/** Two fronts and two workers on one Temporal: each serves the other's tasks, and each can go away in order. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_META } from '../../protocol/extension.ts';
import type { ContentBlock } from '../../protocol/task.ts';
import { eventually } from '../support/eventually.ts';
import { post } from '../support/mcp-request.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createRelay } from '../support/relay.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createTaskClient, resultOf, textOf, type TaskClient } from '../support/task-client.ts';
import { patiently } from '../support/patience.js';

const ENDS_WITHIN_MS = 30_000;
const DRAINS_WITHIN_MS = 10_000;
const TEST_MS = 90_000;

let product: Product;
let fronts: readonly [RoleProcess, RoleProcess];
let viaFirst: TaskClient;
let viaSecond: TaskClient;

beforeAll(async () => {
  product = await openProduct();
  fronts = await Promise.all([product.startFront(), product.startFront()]);
  viaFirst = createTaskClient(fronts[0].url);
  viaSecond = viaFirst.over(fronts[1].url);
});

/** SIGTERM, and then a clean end in time. */
async function expectDrained(role: RoleProcess): Promise<void> {
  const startedAt = performance.now();
  role.signal('SIGTERM');
  expect(await role.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(patiently(DRAINS_WITHIN_MS));
  expect(() => process.kill(role.pid, 0)).toThrow('ESRCH');
}

describe('two fronts', () => {
  it(
    "read, answer and cancel each other's tasks",
    async () => {
      const worker = await product.startWorker();
      const [answered, cancelled] = await Promise.all([
        viaFirst.create('purchase_order', anAskingCall()),
        viaFirst.create('purchase_order', anAskingCall()),
      ]);
      for (const taskId of [answered, cancelled]) await viaSecond.until(taskId, ['input_required'], ENDS_WITHIN_MS);
      await viaSecond.accept(answered, { costCentre: '2100' });
      await viaSecond.cancel(cancelled);
      const ended = await viaFirst.until(answered, ['completed'], ENDS_WITHIN_MS);
      expect(resultOf(ended)).toMatchObject({ structuredContent: { costCentre: '2100' } });
      expect(await viaSecond.get(answered)).toEqual(ended);
      await viaFirst.until(cancelled, ['cancelled'], ENDS_WITHIN_MS);
      await worker.end();
    },
    TEST_MS,
  );

  it(
    'serve the PDF that a worker has made and that is gone itself',
    async () => {
      const worker = await product.startWorker();
      const taskId = await viaFirst.create('purchase_order', aCall());
      const { content } = resultOf(await viaFirst.until(taskId, ['completed'], ENDS_WITHIN_MS));
      await kill9(worker);
      const link = content.find((block) => block.type === 'resource_link') as ContentBlock & { uri: string };
      expect(link).toMatchObject({ mimeType: 'application/pdf', uri: expect.stringContaining(`task://${taskId}/`) });
      const files = await Promise.all(
        [viaFirst, viaSecond].map(async (client) => {
          const { resources } = await client.request({ method: 'resources/list' });
          expect(resources).toContainEqual(expect.objectContaining({ uri: link.uri, mimeType: 'application/pdf' }));
          const read = await client.request({ method: 'resources/read', params: { uri: link.uri } });
          const [file] = read['contents'] as [{ blob: string; mimeType: string }];
          return Buffer.from(file.blob, 'base64');
        }),
      );
      expect(files[0]!.subarray(0, 5).toString()).toBe('%PDF-');
      expect(files[1]).toEqual(files[0]);
    },
    TEST_MS,
  );
});

describe('a worker that gets SIGTERM', () => {
  it(
    'leaves its waiting tasks to the other one',
    async () => {
      const first = await product.startWorker();
      const taskId = await viaFirst.create('purchase_order', anAskingCall());
      await viaFirst.until(taskId, ['input_required'], ENDS_WITHIN_MS);
      const second = await product.startWorker();
      await expectDrained(first);
      await viaSecond.accept(taskId, { costCentre: '3100' });
      await viaFirst.until(taskId, ['completed'], ENDS_WITHIN_MS);
      await expectDrained(second);
    },
    TEST_MS,
  );

  it(
    'finishes the activity that it runs: nobody has to repeat it',
    async () => {
      const { erp } = product;
      const first = await product.startWorker();
      await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const taskId = await viaFirst.create('purchase_order', aCall());
      await erp.untilHeld('orders-after-accept');
      const gone = expectDrained(first);
      await eventually(async () => (await fetch(`${first.url}/readyz`)).status === 503);
      await erp.release();
      await gone;
      // A repeated post would stand still here.
      await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const second = await product.startWorker();
      await viaFirst.until(taskId, ['completed'], ENDS_WITHIN_MS);
      expect((await erp.state()).held['orders-before-accept']).toBe(0);
      expect(await ordersOf(erp, taskId)).toEqual({ live: 1, voided: 0 });
      await erp.release();
      await second.end();
    },
    TEST_MS,
  );

  it(
    'hands back an activity that takes longer, with the progress it has made',
    async () => {
      const first = await product.startWorker({ DRAIN_MS: '500' });
      const taskId = await viaFirst.create('slow_compute', { seconds: 3_600 });
      const doneSeconds = async (): Promise<number> => {
        const { statusMessage = '' } = await viaFirst.get(taskId);
        return Number(/^(\d+) of 3600 s$/.exec(statusMessage)?.[1] ?? 0);
      };
      await eventually(async () => (await doneSeconds()) >= 3, ENDS_WITHIN_MS);
      const second = await product.startWorker();
      await expectDrained(first);
      await eventually(async () => (await doneSeconds()) >= 4, ENDS_WITHIN_MS);
      await viaSecond.cancel(taskId);
      await viaFirst.until(taskId, ['cancelled'], ENDS_WITHIN_MS);
      await second.end();
    },
    TEST_MS,
  );
});

describe('a front that gets SIGTERM', () => {
  it(
    'answers the calls that it holds with their handle, and is not ready while it does',
    async () => {
      const { erp, env } = product;
      const relay = await createRelay(Number(env['TEMPORAL_ADDRESS']!.split(':')[1]));
      atScopeEnd(() => relay.close());
      const front = await product.startFront({
        SYNC_BUDGET_MS: '60000',
        TEMPORAL_ADDRESS: `127.0.0.1:${String(relay.port)}`,
      });
      await product.startWorker();
      await erp.arm({ at: 'capabilities', kind: 'hold' });
      const params = { name: 'purchase_order', arguments: aCall() };
      const meta = { [IDEMPOTENCY_KEY_META]: 'drained' };
      const declared = post(`${front.url}/mcp`, { method: 'tools/call', params });
      const plain = post(`${front.url}/mcp`, { method: 'tools/call', params, capabilities: {}, meta });
      await erp.untilHeld('capabilities', 2);
      // Temporal is slow, so that the drain takes long enough to be looked at.
      relay.delay(400);
      const gone = expectDrained(front);
      await eventually(async () => {
        const ready = await fetch(`${front.url}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([503, 'draining']);
      });
      const [{ body: handle }, { body: text }] = await Promise.all([declared, plain]);
      await gone;
      expect(handle.result).toMatchObject({ resultType: 'task', status: 'working' });
      expect(text.result).toMatchObject({ resultType: 'complete' });
      const named = /Task ([A-Za-z0-9_-]{22}) is not finished yet/.exec(textOf(text.result as never))![1]!;
      await erp.release();
      for (const taskId of [handle.result.taskId, named]) await viaSecond.until(taskId, ['completed'], ENDS_WITHIN_MS);
    },
    TEST_MS,
  );
});
