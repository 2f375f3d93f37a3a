/** The worker is killed or stopped at each point of the post to the ERP: one order, and the task goes on by itself. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Mode } from '../../demo/erp/erp-server.ts';
import type { Point } from '../../demo/erp/faults.ts';
import { eventually } from '../support/eventually.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createRelay } from '../support/relay.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createTaskClient, resultOf, type TaskClient } from '../support/task-client.ts';
import { patiently } from '../support/patience.js';

/** G11: from the kill of a worker to the next step of a task that it held. */
const NEXT_STEP_WITHIN_MS = 15_000;
const TEST_MS = 90_000;
const MODES = ['idempotency-key', 'unique-reference'] as const;

interface Bench {
  readonly product: Product;
  readonly client: TaskClient;
}
let benches: readonly Bench[];

beforeAll(async () => {
  benches = await Promise.all(MODES.map(openBench));
});

async function openBench(mode: Mode): Promise<Bench> {
  const product = await openProduct({ mode });
  return { product, client: createTaskClient((await product.startFront()).url) };
}

/** At the same time, because most of it is waiting for time-outs. */
async function inBothModes(run: (bench: Bench) => Promise<void>): Promise<void> {
  await Promise.all(benches.map(run));
}

/** A task whose post stands still at `point`. */
async function heldTask({ product, client }: Bench, point: Point): Promise<string> {
  const { erp } = product;
  // The ERP's mode is read twice. The second time directly precedes the post.
  if (point === 'capabilities') await erp.arm({ at: point, kind: 'delay', delayMs: 0, times: 1 });
  await erp.arm({ at: point, kind: 'hold' });
  const taskId = await client.create('purchase_order', aCall());
  await erp.untilHeld(point);
  return taskId;
}

/** A second worker is alive when the first one, which holds the task, is killed. */
async function takeOver({ product }: Bench, first: RoleProcess): Promise<{ killedAt: number; second: RoleProcess }> {
  const second = await product.startWorker();
  const killedAt = performance.now();
  await kill9(first);
  return { killedAt, second };
}

async function expectOneOrder({ product, client }: Bench, taskId: string): Promise<void> {
  const ended = await client.until(taskId, ['completed'], NEXT_STEP_WITHIN_MS);
  expect(resultOf(ended)).not.toHaveProperty('isError', true);
  expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
}

describe('a worker that is killed', () => {
  it(
    'before the post is sent leaves one order, and a task that goes on in time',
    () =>
      inBothModes(async (bench) => {
        const { erp } = bench.product;
        const first = await bench.product.startWorker();
        const taskId = await heldTask(bench, 'capabilities');
        const { killedAt, second } = await takeOver(bench, first);
        expect(await ordersOf(erp, taskId)).toEqual({ live: 0, voided: 0 });
        await erp.release();
        await eventually(async () => (await ordersOf(erp, taskId)).live === 1, NEXT_STEP_WITHIN_MS);
        expect(performance.now() - killedAt).toBeLessThan(patiently(NEXT_STEP_WITHIN_MS));
        await expectOneOrder(bench, taskId);
        await second.end();
      }),
    TEST_MS,
  );

  it(
    'after the ERP has accepted and before its reply leaves one order, and a task that goes on in time',
    () =>
      inBothModes(async (bench) => {
        const { erp } = bench.product;
        const first = await bench.product.startWorker();
        const taskId = await heldTask(bench, 'orders-after-accept');
        const { killedAt, second } = await takeOver(bench, first);
        expect(await ordersOf(erp, taskId)).toEqual({ live: 1, voided: 0 });
        await erp.release();
        await bench.client.until(taskId, ['completed'], NEXT_STEP_WITHIN_MS);
        expect(performance.now() - killedAt).toBeLessThan(patiently(NEXT_STEP_WITHIN_MS));
        await expectOneOrder(bench, taskId);
        await second.end();
      }),
    TEST_MS,
  );

  it(
    'after the reply and before Temporal has heard of it leaves one order, and a task that goes on in time',
    () =>
      inBothModes(async (bench) => {
        const { erp, env } = bench.product;
        const [toTemporal, toErp] = await Promise.all([
          createRelay(Number(env['TEMPORAL_ADDRESS']!.split(':')[1])),
          createRelay(erp.port),
        ]);
        for (const relay of [toTemporal, toErp]) atScopeEnd(() => relay.close());
        const first = await bench.product.startWorker({
          TEMPORAL_ADDRESS: `127.0.0.1:${String(toTemporal.port)}`,
          ERP_URL: `http://127.0.0.1:${String(toErp.port)}`,
        });
        const taskId = await heldTask(bench, 'orders-after-accept');
        toTemporal.blackhole('toTarget');
        await erp.release();
        // The worker closes the connection once it has the reply.
        await eventually(() => toErp.connectionCount() === 0, 20_000);
        const { killedAt, second } = await takeOver(bench, first);
        // What the relay holds back is lost with the connection, as it is when a machine dies.
        toTemporal.cut();
        await bench.client.until(taskId, ['completed'], NEXT_STEP_WITHIN_MS);
        expect(performance.now() - killedAt).toBeLessThan(patiently(NEXT_STEP_WITHIN_MS));
        await expectOneOrder(bench, taskId);
        await second.end();
      }),
    TEST_MS,
  );
});

describe('a worker that is stopped, and resumed when its attempt has been retried elsewhere', () => {
  /** All at the same time, each with processes of its own. */
  const cases = MODES.flatMap((mode) => [
    { mode, point: 'capabilities' as const },
    { mode, point: 'orders-after-accept' as const },
  ]);

  it(
    'leaves one order, and a task that goes on in time, stopped before the post or after the ERP had accepted',
    async () => {
      await Promise.all(
        cases.map(async ({ mode, point }) => {
          const bench = await openBench(mode);
          const { client, product } = bench;
          const first = await product.startWorker();
          const taskId = await heldTask(bench, point);
          const second = await product.startWorker();
          const stoppedAt = performance.now();
          first.signal('SIGSTOP');
          await product.erp.release();
          await client.until(taskId, ['completed'], NEXT_STEP_WITHIN_MS);
          expect(performance.now() - stoppedAt).toBeLessThan(patiently(NEXT_STEP_WITHIN_MS));
          first.signal('SIGCONT');
          await second.end();
          // It serves again, and its old attempt has met its own outcome by the time it has drained.
          const next = await client.create('purchase_order', aCall());
          await client.until(next, ['completed'], 60_000);
          await first.end();
          for (const id of [taskId, next]) await expectOneOrder(bench, id);
        }),
      );
    },
    TEST_MS,
  );
});
