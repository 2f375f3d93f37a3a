/** The official client of the older revisions, with its experimental tasks, against real processes over HTTP and stdio. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../support/eventually.ts';
import { post } from '../support/mcp-request.ts';
import { connectOlderClient, overHttp, overStdio } from '../support/older-client.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, ordersOf, type Product } from '../support/product.ts';

let product: Product;
let front: RoleProcess;
beforeAll(async () => {
  product = await openProduct();
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
}, 60_000);

const answered = { action: 'accept', content: { costCentre: '1100' } } as const;
const quick = { timeout: 60_000 };

interface Driven {
  readonly taskId: string;
  readonly statuses: readonly string[];
  readonly result: CallToolResult | undefined;
}

async function drive(client: Client, name: string, args: object): Promise<Driven> {
  const statuses: string[] = [];
  let taskId = '';
  let result: CallToolResult | undefined;
  const stream = client.experimental.tasks.callToolStream({ name, arguments: { ...args } }, CallToolResultSchema, {
    ...quick,
    task: { ttl: 3_600_000 },
  });
  for await (const message of stream) {
    if (message.type === 'taskCreated') taskId = message.task.taskId;
    if (message.type === 'taskStatus') statuses.push(message.task.status);
    if (message.type === 'result') result = message.result;
    if (message.type === 'error') throw message.error;
  }
  return { taskId, statuses, result };
}

describe.each([
  ['HTTP', (): ReturnType<typeof overHttp> => overHttp(`${front.url}/mcp`)],
  ['stdio', (): ReturnType<typeof overStdio> => overStdio(product.env)],
])('the 2025-11-25 client over %s', (_, open) => {
  it('orders once through a task, and reads it again by its id', async () => {
    const client = await connectOlderClient(open());
    const { taskId, statuses, result } = await drive(client, 'purchase_order', aCall());
    expect(statuses.at(-1)).toBe('completed');
    expect(result?.structuredContent).toMatchObject({ taskId });
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
    const again = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, quick);
    expect(again.structuredContent).toEqual(result?.structuredContent);
    expect(again._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId } });
    await eventually(async () => {
      const { tasks } = await client.experimental.tasks.listTasks();
      expect(tasks.map((task) => task.taskId)).toContain(taskId);
    }, 15_000);
  }, 90_000);

  it('cancels a task, and hears that it was', async () => {
    const client = await connectOlderClient(open());
    const stream = client.experimental.tasks.callToolStream(
      { name: 'slow_compute', arguments: { seconds: 60 } },
      CallToolResultSchema,
      { ...quick, task: {} },
    );
    const created = (await stream.next()).value as { readonly task: { readonly taskId: string } };
    const { taskId } = created.task;
    expect(await client.experimental.tasks.cancelTask(taskId, quick)).toMatchObject({ taskId, status: 'cancelled' });
    await expect(client.experimental.tasks.cancelTask(taskId, quick)).rejects.toMatchObject({ code: -32602 });
  }, 90_000);

  it('gets the plain answer of a plain call', async () => {
    const client = await connectOlderClient(open());
    const { content } = await client.callTool({ name: 'slow_compute', arguments: { seconds: 1 } });
    expect(content).toEqual([{ type: 'text', text: 'The computation is done after 1 s.' }]);
  }, 60_000);
});

describe('a question to the 2025-11-25 client over stdio', () => {
  it('is put to it while tasks/result is open, and its answer completes the order', async () => {
    const client = await connectOlderClient(overStdio(product.env), { onElicit: () => answered });
    const { taskId, statuses, result } = await drive(client, 'purchase_order', anAskingCall());
    expect(statuses.at(-1)).toBe('input_required');
    expect(result?.isError).toBeUndefined();
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);

  it('is put to it while a plain call is held', async () => {
    const client = await connectOlderClient(overStdio(product.env), { onElicit: () => answered });
    const call = { name: 'purchase_order', arguments: { ...anAskingCall() } };
    const { structuredContent, isError } = await client.callTool(call, CallToolResultSchema, quick);
    expect(isError).toBeUndefined();
    const { taskId } = structuredContent as { taskId: string };
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);
});

describe('a task', () => {
  it('that one dialect started is read, answered and ended by another', async () => {
    const asking = await connectOlderClient(overStdio(product.env), { onElicit: () => new Promise(() => undefined) });
    const stream = asking.experimental.tasks.callToolStream(
      { name: 'purchase_order', arguments: { ...anAskingCall() } },
      CallToolResultSchema,
      { ...quick, task: {} },
    );
    const created = (await stream.next()).value as { readonly task: { readonly taskId: string } };
    const { taskId } = created.task;
    const url = `${front.url}/mcp`;
    const read = await eventually(async () => {
      const { result } = (await post(url, { method: 'tasks/get', params: { taskId } })).body;
      return result.status === 'input_required' && result;
    }, 20_000);
    const [key = ''] = Object.keys(read.inputRequests as object);
    await post(url, { method: 'tasks/update', params: { taskId, inputResponses: { [key]: answered } } });
    const reader = await connectOlderClient(overHttp(url));
    const result = await reader.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, quick);
    expect(result.structuredContent).toMatchObject({ taskId });
  }, 90_000);
});
