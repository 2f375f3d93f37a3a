/** Purchase orders in numbers, while the line to the ERP, the workers and the clients' answers fail at random moments. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../demo/erp/faults.ts';
import { eventually } from '../support/eventually.ts';
import { aCall, kill9, openProduct, referenceOf, type Product } from '../support/product.ts';
import type { RoleProcess } from '../support/processes.ts';
import { meanwhile, runRounds } from '../support/rounds.ts';
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { createTaskClient, resultOf, RpcFailure, type TaskClient } from '../support/task-client.ts';

const ROUNDS = 100;
const AT_ONCE = 30;
const ENDS_WITHIN_MS = 60_000;
const AGAIN_FOR_MS = 30_000;
const TEST_MS = 180_000;

/** One trouble at the ERP after the other, and now and then a worker that dies and is replaced. */
function createTroublemaker(product: Product, workers: RoleProcess[], random: SeededRandom) {
  const { erp } = product;
  let killAfter = 3;
  let killCount = 0;
  const troubles = (): readonly [Fault, ...Fault[]] => [
    { at: 'orders-after-accept', kind: 'drop', times: 1 + random.below(3) },
    { at: 'orders-before-accept', kind: 'drop', times: 1 },
    { at: 'orders-before-accept', kind: 'unavailable', times: 1 + random.below(3) },
    { at: 'orders-after-accept', kind: 'unavailable', times: 1 + random.below(2) },
    { at: 'capabilities', kind: 'unavailable', times: 1 },
    { at: 'orders-after-accept', kind: 'hold', times: 1 + random.below(2) },
    { at: 'orders-before-accept', kind: 'hold', times: 1 },
    { at: 'read', kind: 'drop', times: 1 },
  ];
  const makeTrouble = async (): Promise<void> => {
    await erp.arm(random.pick(troubles()));
    await delay(200 + random.below(800));
    // What has met nobody by now is taken back: troubles that pile up would end the last tasks' chances.
    await erp.release();
    killAfter -= 1;
    if (killAfter > 0) return;
    killAfter = 5 + random.below(4);
    const victim = workers.splice(random.below(workers.length), 1)[0]!;
    await kill9(victim);
    killCount += 1;
    workers.push(await product.startWorker());
  };
  return { makeTrouble, killCount: () => killCount };
}

/** Gives up on some answers before they come, as a client on a bad line does, and asks again under the same key. */
async function createInsistently(client: TaskClient, key: string, patienceMs: readonly number[]): Promise<string> {
  const handles: string[] = [];
  for (const ms of patienceMs) {
    const attempt = client.create('purchase_order', aCall(), { idempotencyKey: key, signal: AbortSignal.timeout(ms) });
    await attempt.then(
      (taskId) => handles.push(taskId),
      (error: unknown) => {
        // What the server says is no lost answer, unless it says to try again.
        if (error instanceof RpcFailure && !error.message.includes('Try again')) throw error;
      },
    );
  }
  // By now it may have ended: then the same call is answered with its result.
  const answer = await eventually(() => client.call('purchase_order', aCall(), { idempotencyKey: key }), AGAIN_FOR_MS);
  handles.push('taskId' in answer ? answer.taskId : (answer.result.structuredContent?.['taskId'] as string));
  expect(new Set(handles).size).toBe(1);
  return handles[0]!;
}

describe.each(['idempotency-key', 'unique-reference'] as const)('with an ERP of mode %s', (mode) => {
  it(
    `${ROUNDS} orders under faults are ${ROUNDS} orders`,
    async () => {
      const random = seededRandom(`orders under faults, ${mode}`);
      const product = await openProduct({ mode });
      const [fronts, workers] = await Promise.all([
        Promise.all([product.startFront(), product.startFront()]),
        Promise.all([product.startWorker(), product.startWorker()]),
      ]);
      const client = createTaskClient(...fronts.map(({ url }) => url));
      const plans = Array.from({ length: ROUNDS }, () => ({
        startsAfterMs: random.below(1_500),
        patienceMs: Array.from({ length: random.below(3) }, () => 1 + random.below(60)),
      }));
      const taskIds: string[] = [];
      const rounds = runRounds(ROUNDS, AT_ONCE, async (index) => {
        const { startsAfterMs, patienceMs } = plans[index]!;
        await delay(startsAfterMs);
        const taskId = await createInsistently(client, `round-${String(index)}`, patienceMs);
        taskIds.push(taskId);
        const ended = await client.until(taskId, ['completed'], ENDS_WITHIN_MS);
        expect(resultOf(ended)).toMatchObject({ structuredContent: { taskId, status: 'posted' } });
      });
      const { makeTrouble, killCount } = createTroublemaker(product, workers, random);
      await meanwhile(rounds, makeTrouble);
      await product.erp.release();
      const { countByReference, orders } = await product.erp.state();
      expect(new Set(taskIds).size).toBe(ROUNDS);
      expect(countByReference).toEqual(Object.fromEntries(taskIds.map((taskId) => [referenceOf(taskId), 1])));
      expect(orders.filter(({ status }) => status !== 'posted')).toEqual([]);
      expect(killCount()).toBeGreaterThan(0);
    },
    TEST_MS,
  );
});
