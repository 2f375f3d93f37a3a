/** Temporal itself is killed, and all workers are away: what was acknowledged counts, and the client is told clearly. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCall, anAskingCall, kill9, openProduct, ordersOf } from '../support/product.ts';
import { createTaskClient, questionsOf, resultOf, RpcFailure, type TaskClient } from '../support/task-client.ts';
import { patiently } from '../support/patience.js';

/** G11: from the moment Temporal serves again to the next step of a task. */
const NEXT_STEP_WITHIN_MS = 10_000;
const ENDS_WITHIN_MS = 60_000;
const TEST_MS = 180_000;
const COST_CENTRE = { costCentre: '1100' };

function times(count: number, create: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, create));
}

async function fulfilled(works: readonly Promise<string>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(works);
  return settled.flatMap((work) => (work.status === 'fulfilled' ? [work.value] : []));
}

/** An outage is said in the server's own words, and never as "no such task". */
async function expectOutage(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => 'an answer',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RpcFailure);
  expect(error).toMatchObject({
    code: -32603,
    message: 'The server cannot reach its task store at the moment. Try again in a few seconds.',
  });
}

async function untilAllAre(client: TaskClient, taskIds: readonly string[], status: 'input_required' | 'completed') {
  return Promise.all(taskIds.map((taskId) => client.until(taskId, [status], ENDS_WITHIN_MS)));
}

describe('Temporal, killed and restarted on the same database with 20 open tasks', () => {
  it(
    'goes on with all of them by itself, the answers and cancels that were acknowledged before included',
    async () => {
      const temporal = await startOwnTemporal({ databaseFile: join(await temporaryFolder(), 'temporal.db') });
      const product = await openProduct({ address: temporal.address });
      const [front] = await Promise.all([product.startFront(), product.startWorker(), product.startWorker()]);
      const client = createTaskClient(front.url);
      const asking = await times(12, () => client.create('purchase_order', anAskingCall()));
      await untilAllAre(client, asking, 'input_required');
      await product.erp.arm({ at: 'orders-after-accept', kind: 'hold', times: 4 });
      const posting = await times(4, () => client.create('purchase_order', aCall()));
      await product.erp.untilHeld('orders-after-accept', 4);
      const computing = await times(4, () => client.create('slow_compute', { seconds: 15 }));

      // Killed as soon as the first answers and cancels are acknowledged, with others under way.
      const answers = asking.slice(0, 6).map((taskId) => client.accept(taskId, COST_CENTRE).then(() => taskId));
      const unwanted = asking.slice(9);
      const cancels = unwanted.map((taskId) => client.cancel(taskId).then(() => taskId));
      await Promise.all([...answers.slice(0, 3), cancels[0]]);
      await temporal.kill9();
      const acknowledged = await fulfilled(answers);
      const cancelled = await fulfilled(cancels);

      const all = [...asking, ...posting, ...computing];
      await Promise.all([
        ...all.map((taskId) => expectOutage(client.get(taskId))),
        expectOutage(client.cancel(posting[0]!)),
        expectOutage(client.create('purchase_order', aCall(), { idempotencyKey: 'meanwhile' })),
        expectOutage(client.answer(asking[8]!, { key: { action: 'decline' } })),
      ]);
      expect((await fetch(`${front.url}/healthz`)).status).toBe(200);

      await temporal.restart();
      const restartedAt = performance.now();
      await client.until(acknowledged[0]!, ['completed'], NEXT_STEP_WITHIN_MS);
      expect(performance.now() - restartedAt).toBeLessThan(patiently(NEXT_STEP_WITHIN_MS));
      await product.erp.release();
      await untilAllAre(client, acknowledged, 'completed');
      await Promise.all(cancelled.map((taskId) => client.until(taskId, ['cancelled'], ENDS_WITHIN_MS)));
      // What was sent without an acknowledgement may have arrived all the same.
      const others = asking.filter((id) => !acknowledged.includes(id) && !cancelled.includes(id));
      for (const taskId of others) {
        if (Object.keys(questionsOf(await client.get(taskId))).length > 0) await client.accept(taskId, COST_CENTRE);
      }
      const wanted = all.filter((taskId) => !unwanted.includes(taskId));
      for (const task of await untilAllAre(client, wanted, 'completed')) {
        expect(resultOf(task)).not.toHaveProperty('isError', true);
      }
      for (const taskId of [...asking, ...posting]) {
        const { status } = await client.until(taskId, ['completed', 'cancelled'], ENDS_WITHIN_MS);
        expect({ taskId, ...(await ordersOf(product.erp, taskId)) }).toEqual({
          taskId,
          live: status === 'completed' ? 1 : 0,
          voided: 0,
        });
      }
    },
    TEST_MS,
  );
});

describe('all workers down, while a client polls, answers and cancels', () => {
  it(
    'everything is acknowledged, shown at once, and done when a worker is back',
    async () => {
      const product = await openProduct();
      const [front, worker] = await Promise.all([product.startFront(), product.startWorker()]);
      const client = createTaskClient(front.url);
      const [answered = '', cancelled = '', both = '', open = ''] = await times(4, () =>
        client.create('purchase_order', anAskingCall()),
      );
      await untilAllAre(client, [answered, cancelled, both, open], 'input_required');
      await kill9(worker);

      await client.accept(answered, COST_CENTRE);
      expect(await client.get(answered)).toMatchObject({ status: 'working' });
      await client.cancel(cancelled);
      await client.cancel(cancelled);
      await client.accept(both, COST_CENTRE);
      await client.cancel(both);
      for (const taskId of [cancelled, both]) {
        const task = await client.get(taskId);
        expect(task).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('Cancellation') });
      }
      const created = await client.create('purchase_order', aCall());
      expect(await client.get(created)).toMatchObject({ status: 'working' });
      expect(await client.get(open)).toMatchObject({ status: 'input_required' });

      await product.startWorker();
      await untilAllAre(client, [answered, created], 'completed');
      await Promise.all([cancelled, both].map((taskId) => client.until(taskId, ['cancelled'], ENDS_WITHIN_MS)));
      expect(await client.get(open)).toMatchObject({ status: 'input_required' });
      for (const taskId of [answered, created]) {
        expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
      }
      for (const taskId of [cancelled, both]) {
        expect((await ordersOf(product.erp, taskId)).live).toBe(0);
      }
    },
    TEST_MS,
  );
});
