import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestErp } from '../support/erp.ts';
import { eventually } from '../support/eventually.ts';
import { referenceOf } from '../support/product.ts';
import { accept, openKeys } from '../support/task-bench.ts';
import {
  LONG_LIVED,
  openOrderBench,
  orderOf,
  PATIENCE_MS,
  statusesIn,
  textOf,
  type OrderBench,
} from './order-bench.ts';

let bench: OrderBench;

beforeAll(async () => {
  bench = await openOrderBench();
}, PATIENCE_MS);

/** What the run page of the Temporal UI says. */
async function runPageOf(taskId: string): Promise<string> {
  const handle = bench.service.client.getHandle(bench.workflowId(taskId));
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  // As a person reads it.
  return currentDetails.replaceAll('\\', '').replaceAll('**', '');
}

/** Searches may lag behind, by far less than tasks are remembered. */
async function isShown(erp: TestErp, taskId: string): Promise<boolean> {
  const found = await fetch(`${erp.url}/orders?reference=${encodeURIComponent(referenceOf(taskId))}`);
  return ((await found.json()) as { orders: unknown[] }).orders.length > 0;
}

describe('an order that was voided', () => {
  it.each(['idempotency-key', 'unique-reference', 'search-only'] as const)(
    'is not reported as posted when the call comes again after its task is forgotten, with %s',
    async (mode) => {
      const erp = await bench.erpIn(mode);
      await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const idempotencyKey = `voided with ${mode}`;
      const taskId = await bench.order({}, { idempotencyKey });
      await erp.untilHeld('orders-after-accept');
      await bench.cancel(taskId);
      await erp.release();
      await bench.until(taskId, 'cancelled');
      const [order] = (await erp.state()).orders;
      expect(await runPageOf(taskId)).toContain(`Order: ${order!.number} (voided)`);
      await eventually(() => isShown(erp, taskId), PATIENCE_MS);

      const forgetful = bench.secondStore({ resultRetentionMs: 0 });
      const features = { elicitationForm: true };
      const call = { tool: 'purchase_order', args: orderOf(), features, ...LONG_LIVED, pollIntervalMs: 1_000 };
      const again = await forgetful.create(bench.caller, { ...call, idempotencyKey });
      expect(again).toMatchObject({ isNew: true, task: { taskId } });
      const task = await bench.until(taskId, 'completed');
      expect(task).toMatchObject({ result: { isError: true } });
      expect(textOf(task)).toMatch(/was voided before; nothing was ordered/);
      expect(await runPageOf(taskId)).not.toContain('(posted)');
      expect(await statusesIn(erp)).toEqual(['voided']);
    },
    PATIENCE_MS,
  );

  it(
    'is not reported as posted when a person gives its number',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-after-accept', kind: 'drop' });
      // Looked for before it is sent, and as soon as the reply is lost.
      await erp.arm({ at: 'search', kind: 'delay', delayMs: 0, times: 1 });
      await erp.arm({ at: 'search', kind: 'hold' });
      const taskId = await bench.order();
      await erp.untilHeld('search');
      const [order] = (await erp.state()).orders;
      await fetch(`${erp.url}/orders/${order!.number}/void`, { method: 'POST' });
      await erp.release('search');
      const asked = await bench.until(taskId, 'input_required');
      const reply = accept({ inErp: 'found', orderNumber: order!.number });
      await bench.store.deliver(bench.caller, taskId, { [openKeys(asked)[0]!]: reply });
      const task = await bench.until(taskId, 'completed');
      expect(task).toMatchObject({ result: { isError: true } });
      expect(textOf(task)).toContain('nothing was ordered');
    },
    PATIENCE_MS,
  );
});
