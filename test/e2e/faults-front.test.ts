/** The front server is killed: another one answers for its tasks at once, and a keyed call finds them again. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, resultOf } from '../support/task-client.ts';
import { patiently } from '../support/patience.js';

/** G11: from the kill of a front until another one has answered, beyond what an answer takes anyway. */
const REPLACED_WITHIN_MS = 1_000;
const ENDS_WITHIN_MS = 30_000;
const TEST_MS = 60_000;

let product: Product;
let other: RoleProcess;

beforeAll(async () => {
  product = await openProduct();
  [other] = await Promise.all([product.startFront(), product.startWorker()]);
});

async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe('a front that is killed', () => {
  it(
    'between create and get is replaced by another one, and the key leads to the same task',
    async () => {
      const front = await product.startFront();
      const client = createTaskClient(front.url);
      const taskId = await client.create('purchase_order', aCall(), { idempotencyKey: 'created' });
      const survivor = client.over(other.url);
      const usualMs = await durationOf(() => survivor.get(taskId));
      const replacedMs = await durationOf(async () => {
        await kill9(front);
        await survivor.get(taskId);
      });
      expect(replacedMs).toBeLessThan(usualMs + patiently(REPLACED_WITHIN_MS));
      expect(await survivor.create('purchase_order', aCall(), { idempotencyKey: 'created' })).toBe(taskId);
      await survivor.until(taskId, ['completed'], ENDS_WITHIN_MS);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
    },
    TEST_MS,
  );

  it.each([
    ['with the Tasks extension', undefined],
    ['without the Tasks extension', {}],
  ])(
    'while it holds the call of a client %s loses nothing: the same key gets the same task',
    async (title, capabilities) => {
      const { erp } = product;
      const front = await product.startFront({ SYNC_BUDGET_MS: '60000' });
      const before = (await erp.state()).orders.length;
      await erp.arm({ at: 'capabilities', kind: 'hold' });
      const options = { idempotencyKey: title, capabilities };
      const held = createTaskClient(front.url).call('purchase_order', aCall(), options);
      const lost = held.catch((error: unknown) => error);
      await erp.untilHeld('capabilities');
      await kill9(front);
      expect(await lost).toMatchObject({ message: 'fetch failed' });
      const survivor = createTaskClient(other.url);
      const again = survivor.call('purchase_order', aCall(), options);
      await erp.release();
      const answer = await again;
      const result =
        'taskId' in answer
          ? resultOf(await survivor.until(answer.taskId, ['completed'], ENDS_WITHIN_MS))
          : answer.result;
      const { orders } = await erp.state();
      expect(orders).toHaveLength(before + 1);
      expect(result).toMatchObject({ structuredContent: { orderNumber: orders.at(-1)!.number } });
    },
    TEST_MS,
  );
});
