/**
 * C33: bytes that are not quite JSON, around a purchase. What was not sent as it should be is refused by name, and no
 * task comes of it.
 *
 * Every kind of body, and whose id is echoed: test/unit/server/http-bodies.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { createdBefore } from '../../support/created-tasks.ts';
import { bodyOf, post, type McpRequest } from '../../support/mcp-request.ts';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { nothingForStrangers } from './support/strangers.ts';

const order: McpRequest = { method: 'tools/call', params: { name: 'purchase_order', arguments: aCall() }, id: 7 };
const good = bodyOf(order);

let product: Product;
let origin = '';

beforeAll(async () => {
  product = await openProduct();
  origin = (await product.startFront()).url;
}, 60_000);

function withByte97(): Buffer {
  const bytes = Buffer.from(good.replace('Nordlicht', 'Nordlich#'));
  bytes[bytes.indexOf('#')] = 0x97;
  return bytes;
}

const JSON_TYPE = { 'content-type': 'application/json' };

it.each<[string, string | Buffer, McpRequest['headers'], number, number]>([
  ['a vendor with a byte that is no UTF-8', withByte97(), JSON_TYPE, 400, -32700],
  ['UTF-16LE', Buffer.from(good, 'utf16le'), JSON_TYPE, 400, -32700],
  ['UTF-16LE with its mark', Buffer.from(`\ufeff${good}`, 'utf16le'), JSON_TYPE, 400, -32700],
  ['a body that is cut off', good.slice(0, -20), JSON_TYPE, 400, -32700],
  ['no body', '', JSON_TYPE, 400, -32700],
  ['a batch', `[${good}]`, JSON_TYPE, 400, -32600],
  ['JSON-RPC 1.0', good.replace('"2.0"', '"1.0"'), JSON_TYPE, 400, -32600],
  ['latin1 by its header', good, { 'content-type': 'application/json; charset=latin1' }, 415, -32600],
  ['text by its header', good, { 'content-type': 'text/plain' }, 415, -32600],
])('%s is refused', async (_what, rawBody, headers, status, code) => {
  const answer = await post(`${origin}/mcp`, { ...order, rawBody, headers });
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(answer.body.error?.message.length).toBeGreaterThan(10);
});

it('a byte order mark and charset=utf-8 are served, and nothing that was refused has become a task', async () => {
  const { client } = await openTemporal();
  const mark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)]);
  const marked = await post(`${origin}/mcp`, { ...order, rawBody: mark });
  const named = await post(`${origin}/mcp`, {
    ...order,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  const served = [marked, named].map(({ body }) => body.result.taskId);
  const last = await createTaskClient(origin).create('slow_compute', { seconds: 0 });
  const created = await createdBefore(client, String(product.env['TASK_QUEUE']), last);
  expect(new Set(created)).toEqual(new Set(served));
});

nothingForStrangers(() => product);
