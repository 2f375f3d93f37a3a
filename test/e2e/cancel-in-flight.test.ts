/** A cancel while the post to the ERP is in flight: its outcome is learnt first, then undone or kept. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MODES } from '../../demo/erp/erp-server.ts';
import type { Fault } from '../../demo/erp/faults.ts';
import { aCall, kill9, openProduct, ordersOf } from '../support/product.ts';
import { meanwhile, runRounds } from '../support/rounds.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { createTaskClient } from '../support/task-client.ts';

const ROUNDS = 50;
const AT_ONCE = 10;
const ENDS_WITHIN_MS = 60_000;
const TEST_MS = 150_000;

describe('a cancel while the post is in flight', () => {
  it.each(['orders-before-accept', 'orders-after-accept'] as const)(
    'held at %s waits for the outcome, voids the order and ends cancelled',
    async (point) => {
      const product = await openProduct();
      const [front] = await Promise.all([product.startFront(), product.startWorker()]);
      const client = createTaskClient(front.url);
      await product.erp.arm({ at: point, kind: 'hold' });
      const taskId = await client.create('purchase_order', aCall());
      await product.erp.untilHeld(point);
      await client.cancel(taskId);
      await client.cancel(taskId);
      expect(await client.get(taskId)).toMatchObject({
        status: 'working',
        statusMessage: expect.stringContaining('Cancellation requested'),
      });
      await product.erp.release();
      await client.until(taskId, ['cancelled'], ENDS_WITHIN_MS);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 1 });
    },
    TEST_MS,
  );

  it.each(MODES)(
    'is carried out by another worker when the first one is killed over it, with %s',
    async (mode) => {
      const product = await openProduct({ mode });
      const [front, first] = await Promise.all([product.startFront(), product.startWorker()]);
      const client = createTaskClient(front.url);
      await product.erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const taskId = await client.create('purchase_order', aCall());
      await product.erp.untilHeld('orders-after-accept');
      await client.cancel(taskId);
      await kill9(first);
      await product.erp.release();
      await product.startWorker();
      await client.until(taskId, ['cancelled'], ENDS_WITHIN_MS);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 1 });
    },
    TEST_MS,
  );

  it(
    `at random moments, in ${ROUNDS} rounds, is never cancelled with a live order`,
    async () => {
      const random = seededRandom('cancels at random moments');
      const product = await openProduct();
      const [front] = await Promise.all([product.startFront(), product.startWorker(), product.startWorker()]);
      const client = createTaskClient(front.url);
      // On a slow machine an order takes longer, and a cancel has to be able to come too late all the same.
      const startedAt = performance.now();
      await client.until(await client.create('purchase_order', aCall()), ['completed'], ENDS_WITHIN_MS);
      const spreadMs = Math.max(1_200, 4 * (performance.now() - startedAt));
      const cancelAfterMs = Array.from({ length: ROUNDS }, () => (random.below(1_000) / 1_000) * spreadMs);
      const statuses = new Set<string>();
      const rounds = runRounds(ROUNDS, AT_ONCE, async (index) => {
        const taskId = await client.create('purchase_order', aCall());
        await delay(cancelAfterMs[index]);
        await client.cancel(taskId);
        const { status } = await client.until(taskId, ['cancelled', 'completed'], ENDS_WITHIN_MS);
        const { live } = await ordersOf(product.erp, taskId);
        expect({ taskId, status, live }).toEqual({ taskId, status, live: status === 'completed' ? 1 : 0 });
        statuses.add(status);
      });
      await meanwhile(rounds, async () => {
        const troubles: readonly [Fault, ...Fault[]] = [
          { at: 'orders-before-accept', kind: 'delay', delayMs: random.below(800), times: 3 },
          { at: 'orders-after-accept', kind: 'delay', delayMs: random.below(800), times: 3 },
          { at: 'orders-after-accept', kind: 'drop', times: 1 },
          { at: 'void-before-accept', kind: 'unavailable', times: 1 },
          { at: 'void-after-accept', kind: 'drop', times: 1 },
        ];
        await product.erp.arm(random.pick(troubles));
        await delay(random.below(400));
        // What has met nobody by now is taken back: troubles that pile up would end the last tasks' chances.
        await product.erp.release();
      });
      const { orders } = await product.erp.state();
      // Both ways to end have been met, with and without an order, or the rounds have shown nothing.
      expect([...statuses].sort()).toEqual(['cancelled', 'completed']);
      expect(orders.some(({ status }) => status === 'voided')).toBe(true);
    },
    TEST_MS,
  );
});
