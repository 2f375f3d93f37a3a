/**
 * C05: the client hangs up during `tools/call`. What nobody was told of is cancelled, unless a key finds it again; what
 * somebody was told of goes on.
 *
 * A plain front on the in-memory store does the same in test/unit/server/tool-calls.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROTOCOL_VERSION } from '../../../protocol/extension.ts';
import { eventually } from '../../support/eventually.ts';
import { post } from '../../support/mcp-request.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createRelay } from '../../support/relay.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { createTaskClient, resultOf, type CallAnswer, type TaskClient } from '../../support/task-client.ts';
import { openTemporal, type TestTemporal } from '../../support/temporal.ts';
import { verifies } from '../../support/verifies.ts';
import { nothingForStrangers } from './support/strangers.ts';

const ATTEMPTS = 100;
const AT_ONCE = 10;
const PATIENCE_MS = 60_000;
/** No answer is out before the last client has hung up. */
const ERP_TAKES_MS = 1_000;

let product: Product;
let temporal: TestTemporal;
/** Gives out the handle at once. */
let atOnce: { url: string; port: number; client: TaskClient };
/** Waits for the end of a call, for up to a second. */
let waiting: TaskClient;

beforeAll(async () => {
  [product, temporal] = await Promise.all([openProduct(), openTemporal()]);
  const [first, second] = await Promise.all([
    product.startFront(),
    product.startFront({ SYNC_BUDGET_MS: '2000' }),
    product.startWorker(),
  ]);
  const client = createTaskClient(first.url);
  atOnce = { url: first.url, port: first.port, client };
  waiting = client.over(second.url);
}, 60_000);

interface Run {
  readonly workflowId: string;
  readonly status: string;
}

async function runs(tool: string): Promise<Run[]> {
  const found: Run[] = [];
  const query = `TaskQueue = "${String(product.env['TASK_QUEUE'])}" AND WorkflowType = "${tool}"`;
  for await (const { workflowId, status } of temporal.client.workflow.list({ query })) {
    found.push({ workflowId, status: status.name });
  }
  return found;
}

async function ordersOf(vendorPrefix: string): Promise<{ vendor: string; isLive: boolean }[]> {
  const { orders } = await product.erp.state();
  const ours = orders.filter(({ vendor }) => vendor.startsWith(vendorPrefix));
  return ours.map(({ vendor, status }) => ({ vendor, isLive: status !== 'voided' }));
}

/** Hangs up 30 to 80 ms in. */
async function hangUp(by: TaskClient, args: object, random: SeededRandom): Promise<CallAnswer | 'hung up'> {
  const signal = AbortSignal.timeout(30 + random.below(51));
  return by.call('purchase_order', args, { signal }).catch((error: unknown) => {
    if (signal.aborted) return 'hung up';
    throw error;
  });
}

async function attempts<T>(run: (index: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let done = 0; done < ATTEMPTS; done += AT_ONCE) {
    all.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => run(done + index)))));
  }
  return all;
}

describe('a held call', () => {
  it.each([
    ['one answer', {}],
    ['a stream', { progressToken: 'p' }],
  ])('whose client leaves it as %s is cancelled', async (_how, meta) => {
    const before = new Set((await runs('slow_compute')).map(({ workflowId }) => workflowId));
    const call = { method: 'tools/call', params: { name: 'slow_compute', arguments: { seconds: 20 } }, meta };
    const leaving = new AbortController();
    const left = post(`${atOnce.url}/mcp`, { ...call, capabilities: {}, signal: leaving.signal }).catch(() => 'left');
    const fresh = async (): Promise<Run[]> =>
      (await runs('slow_compute')).filter(({ workflowId }) => !before.has(workflowId));
    await eventually(async () => (await fresh()).length === 1, PATIENCE_MS);
    leaving.abort();
    expect(await left).toBe('left');
    await eventually(async () => {
      expect((await fresh()).map(({ status }) => status)).toEqual(['CANCELLED']);
    }, PATIENCE_MS);
  });
});

describe(`a purchase whose client hangs up 30 to 80 ms in, ${String(ATTEMPTS)} times`, () => {
  it('is found again under its key, with one order', async () => {
    const random = seededRandom('hang up on a keyed purchase');
    const aKeyed = (index: number): object =>
      aCall({ vendor: `Keyed ${String(index)}`, idempotencyKey: `hang-up-${String(index)}` });
    await attempts((index) => hangUp(index % 2 === 0 ? atOnce.client : waiting, aKeyed(index), random));
    await attempts(async (index) => {
      const answer = await atOnce.client.call('purchase_order', aKeyed(index));
      if ('taskId' in answer) resultOf(await atOnce.client.until(answer.taskId, ['completed'], PATIENCE_MS));
    });
    // Temporal's list lags behind its tasks.
    await eventually(async () => {
      expect(await runs('purchase_order')).toHaveLength(ATTEMPTS);
    }, 10_000);
    const orders = await ordersOf('Keyed ');
    expect(orders.every(({ isLive }) => isLive)).toBe(true);
    expect(new Set(orders.map(({ vendor }) => vendor)).size).toBe(ATTEMPTS);
    expect(orders).toHaveLength(ATTEMPTS);
  }, 180_000);

  it('is without a key no task, or one that is cancelled and has no live order', async () => {
    const random = seededRandom('hang up on an unkeyed purchase');
    const keyed = new Set((await runs('purchase_order')).map(({ workflowId }) => workflowId));
    await product.erp.arm({ at: 'orders-before-accept', kind: 'delay', delayMs: ERP_TAKES_MS });
    const answers = await attempts((index) => hangUp(waiting, aCall({ vendor: `Unkeyed ${String(index)}` }), random));
    expect(new Set(answers)).toEqual(new Set(['hung up']));
    await eventually(async () => {
      const unkeyed = (await runs('purchase_order')).filter(({ workflowId }) => !keyed.has(workflowId));
      expect(unkeyed.length).toBeGreaterThan(0);
      expect(unkeyed.filter(({ status }) => status !== 'CANCELLED')).toEqual([]);
    }, PATIENCE_MS);
    await product.erp.release();
    expect((await ordersOf('Unkeyed ')).filter(({ isLive }) => isLive)).toEqual([]);
  }, 180_000);
});

describe('a task whose handle has been given out', () => {
  it('goes on when the connection closes, and whatever is said of the request that made it', async () => {
    verifies('cancel.not-notification', 'http.close-cancels');
    const relay = await createRelay(atOnce.port);
    atScopeEnd(() => relay.close());
    const through = atOnce.client.over(`http://127.0.0.1:${String(relay.port)}`);
    const taskId = await through.create('slow_compute', { seconds: 2 });
    relay.cut();
    const body = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': PROTOCOL_VERSION };
    const { status } = await fetch(`${atOnce.url}/mcp`, { method: 'POST', headers, body });
    expect(status).toBe(202);
    resultOf(await atOnce.client.until(taskId, ['completed', 'cancelled', 'failed'], PATIENCE_MS));
  });
});

nothingForStrangers(() => product);
