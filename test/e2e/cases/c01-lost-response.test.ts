/**
 * C01: the answer is lost, the purchase is sent again. Under one key there is one task and one order, for as long as the
 * ERP remembers the order's own key.
 *
 * The key in its three places, malformed and contradicting keys: test/unit/server/tool-calls.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../../protocol/task.ts';
import { eventually } from '../../support/eventually.ts';
import { type RoleProcess } from '../../support/processes.ts';
import { startOwnTemporal } from '../../support/own-temporal.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createRelay } from '../../support/relay.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { createTaskClient, resultOf, RpcFailure, type CallAnswer, type TaskClient } from '../../support/task-client.ts';
import { nothingForStrangers } from './support/strangers.ts';

const PATIENCE_MS = 20_000;
const RETENTION_MS = 5_000;

let product: Product;
let front: RoleProcess;
let client: TaskClient;
/** The other front server of the same caller. */
let elsewhere: TaskClient;

beforeAll(async () => {
  product = await openProduct();
  const [first, second] = await Promise.all([product.startFront(), product.startFront(), product.startWorker()]);
  front = first;
  client = createTaskClient(first.url);
  elsewhere = client.over(second.url);
}, 60_000);

/** The task of an answer, whether it has ended by then or not. */
function taskOf(answer: CallAnswer): unknown {
  return 'taskId' in answer ? answer.taskId : answer.result.structuredContent?.['taskId'];
}

/** A key that no other test uses, and an order that is found again by its vendor. */
let count = 0;
function aKeyedCall(): { vendor: string; key: string; args: JsonObject } {
  count += 1;
  const vendor = `Vendor ${String(count)}`;
  const key = `k-${String(count)}`;
  return { vendor, key, args: aCall({ vendor, idempotencyKey: key }) as JsonObject };
}

async function ordersFrom(vendor: string): Promise<readonly string[]> {
  const { orders } = await product.erp.state();
  return orders.filter((order) => order.vendor === vendor).map(({ number }) => number);
}

async function untilOrdered(by: TaskClient, args: object): Promise<{ taskId: string; orderNumber: unknown }> {
  const answer = await by.call('purchase_order', args);
  const taskId = String(taskOf(answer));
  const result = 'result' in answer ? answer.result : resultOf(await by.until(taskId, ['completed'], PATIENCE_MS));
  return { taskId, orderNumber: result.structuredContent?.['orderNumber'] };
}

function isUnknownTo(by: TaskClient, taskId: string): Promise<boolean> {
  return by.get(taskId).then(
    () => false,
    (error: unknown) => error instanceof RpcFailure && error.code === -32602,
  );
}

it('a call whose answer was lost is repeated under its key and leads to the first task and its one order', async () => {
  const { vendor, args } = aKeyedCall();
  const relay = await createRelay(front.port);
  atScopeEnd(() => relay.close());
  relay.blackhole('toClient');
  const lost = createTaskClient(`http://127.0.0.1:${String(relay.port)}`)
    .call('purchase_order', args)
    .catch(() => 'lost');
  await eventually(async () => (await ordersFrom(vendor)).length === 1, PATIENCE_MS);
  relay.cut();
  expect(await lost).toBe('lost');
  const repeated = await untilOrdered(elsewhere, args);
  expect([repeated.orderNumber]).toEqual(await ordersFrom(vendor));
  const again = await untilOrdered(client, args);
  expect(again).toEqual(repeated);
  expect(await ordersFrom(vendor)).toHaveLength(1);
});

it('another call under the same key is a conflict that says what to do, and changes nothing', async () => {
  const { vendor, args } = aKeyedCall();
  const { taskId } = await untilOrdered(client, args);
  const before = await client.get(taskId);
  const lines = [{ description: 'Office chair', quantity: '40', unitPrice: '189.90' }];
  await expect(elsewhere.call('purchase_order', { ...args, lines })).rejects.toMatchObject({
    code: -31001,
    message: expect.stringMatching(/idempotency key.*other arguments.*Use a new key/),
  });
  expect(await client.get(taskId)).toEqual(before);
  expect(await ordersFrom(vendor)).toHaveLength(1);
});

it('the same key of another caller is another task, and each caller knows only its own', async () => {
  const { vendor, args } = aKeyedCall();
  const stranger = createTaskClient((await product.startFront({ PRINCIPAL_KEY: randomBytes(32).toString('hex') })).url);
  const mine = await untilOrdered(client, args);
  const theirs = await untilOrdered(stranger, args);
  expect(theirs.taskId).not.toBe(mine.taskId);
  expect(new Set(await ordersFrom(vendor))).toEqual(new Set([mine.orderNumber, theirs.orderNumber]));
  await expect(stranger.get(mine.taskId)).rejects.toMatchObject({ code: -32602 });
  await expect(client.get(theirs.taskId)).rejects.toMatchObject({ code: -32602 });
});

it('fifty calls under one key over two fronts at once are one task and one order', async () => {
  const { vendor, args } = aKeyedCall();
  const calls = Array.from({ length: 50 }, (_, index) =>
    (index % 2 === 0 ? client : elsewhere).call('purchase_order', args),
  );
  const tasks = new Set((await Promise.all(calls)).map(taskOf));
  expect(tasks.size).toBe(1);
  await client.until(String([...tasks][0]), ['completed'], PATIENCE_MS);
  expect(await ordersFrom(vendor)).toHaveLength(1);
});

it('a call repeated after its result was given up runs under the same task id and adopts the first order', async () => {
  const { vendor, args } = aKeyedCall();
  const { url } = await product.startFront({ RESULT_RETENTION_MS: String(RETENTION_MS) });
  const first = await untilOrdered(createTaskClient(url), args);
  await eventually(() => isUnknownTo(createTaskClient(url), first.taskId), RETENTION_MS + 5_000);
  // Clients of their own, because the task has two lives: both calls lead to the second one.
  const again = await Promise.all([createTaskClient(url), createTaskClient(url)].map((by) => untilOrdered(by, args)));
  expect(again).toEqual([first, first]);
  expect(await ordersFrom(vendor)).toEqual([first.orderNumber]);
});

it('a call repeated to a Temporal that has forgotten its task does the same', async () => {
  const { vendor, args } = aKeyedCall();
  const first = await untilOrdered(client, args);
  const { address } = await startOwnTemporal();
  const [forgetful] = await Promise.all([
    product.startFront({ TEMPORAL_ADDRESS: address }),
    product.startWorker({ TEMPORAL_ADDRESS: address }),
  ]);
  const there = createTaskClient(forgetful.url);
  expect(await isUnknownTo(there, first.taskId)).toBe(true);
  expect(await untilOrdered(there, args)).toEqual(first);
  expect(await ordersFrom(vendor)).toEqual([first.orderNumber]);
}, 60_000);

it('two calls without a key are two orders, and the description of the tool says so', async () => {
  const vendor = 'Vendor without a key';
  const [first, second] = await Promise.all([1, 2].map(() => untilOrdered(client, aCall({ vendor }))));
  expect(first?.taskId).not.toBe(second?.taskId);
  expect(await ordersFrom(vendor)).toHaveLength(2);
  const { tools } = await client.request({ method: 'tools/list' });
  expect(
    (tools as { name: string; description: string }[]).find(({ name }) => name === 'purchase_order'),
  ).toMatchObject({
    description: expect.stringContaining('Without an idempotencyKey, two calls are two orders.'),
  });
});

nothingForStrangers(() => product);
