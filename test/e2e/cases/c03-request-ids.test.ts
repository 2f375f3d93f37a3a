/**
 * C03: odd and colliding request ids. No answer goes to another connection, and no call without an id does anything.
 *
 * Every kind of id, legal and not: test/unit/server/http-bodies.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createdBefore } from '../../support/created-tasks.ts';
import { bodyOf, post, type McpRequest } from '../../support/mcp-request.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { nothingForStrangers } from './support/strangers.ts';

let product: Product;
let origin = '';
let strangersOrigin = '';

beforeAll(async () => {
  product = await openProduct();
  const [front, strangers] = await Promise.all([
    product.startFront(),
    product.startFront({ PRINCIPAL_KEY: randomBytes(32).toString('hex') }),
    product.startWorker(),
  ]);
  origin = front.url;
  strangersOrigin = strangers.url;
}, 60_000);

/** Held until it has ended: the caller takes no tasks. */
async function held(at: string, label: string, seconds: number, id: unknown): Promise<string> {
  const call = { method: 'tools/call', params: { name: 'slow_compute', arguments: { seconds, label } } };
  const { body } = await post(`${at}/mcp`, { ...call, id, capabilities: {} });
  expect(body.id).toBe(id);
  return body.result.content[0].text;
}

it('calls in flight under one id, of one caller and of two, get each their own answer', async () => {
  const calls = Array.from({ length: 24 }, (_, index) => ({
    at: index % 3 === 0 ? strangersOrigin : origin,
    label: `call ${String(index)}`,
    seconds: index % 2,
  }));
  const texts = await Promise.all(calls.map(({ at, label, seconds }) => held(at, label, seconds, 1)));
  expect(texts).toEqual(calls.map(({ label, seconds }) => `${label} is done after ${String(seconds)} s.`));
});

it.each(['1', 1, 1774232524389, ''])('the id %j comes back with its type and digits', async (id) => {
  expect(await held(origin, 'typed', 0, id)).toBe('typed is done after 0 s.');
});

it('a purchase without an id, or with one that cannot be echoed, is an error and places no order', async () => {
  const order: McpRequest = {
    method: 'tools/call',
    params: { name: 'purchase_order', arguments: aCall() },
    id: 'gone',
  };
  const withoutId = bodyOf(order).replace('"id":"gone",', '');
  const others = ['null', '1.5', '{}', '9007199254740993'].map((id) => bodyOf(order).replace('"gone"', id));
  for (const rawBody of [withoutId, ...others]) {
    const { status, body } = await post(`${origin}/mcp`, { ...order, rawBody });
    expect([status, body.error?.code, 'id' in body]).toEqual([400, -32600, false]);
  }
  const { client, taskQueue } = { ...(await openTemporal()), taskQueue: String(product.env['TASK_QUEUE']) };
  const marker = await createTaskClient(origin).create('slow_compute', { seconds: 0, label: 'marker' });
  const created = await createdBefore(client, taskQueue, marker);
  expect(created).toHaveLength(24 + 4);
  expect((await product.erp.state()).orders).toEqual([]);
});

nothingForStrangers(() => product);
