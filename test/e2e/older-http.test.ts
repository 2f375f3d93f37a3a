/** Clients of MCP 2025-11-25 over HTTP, asked by one front and answering to another: real processes behind a round robin. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as NewerClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CallToolResultSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../support/eventually.ts';
import { post, type McpAnswer } from '../support/mcp-request.ts';
import { connectOlderClient, overHttp } from '../support/older-client.ts';
import type { RoleProcess } from '../support/processes.ts';
import { anAskingCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { inOrder, roundRobin } from '../support/balancers.ts';
import { atScopeEnd } from '../support/scope.ts';
import { olderMessage } from '../support/older-request.ts';

let product: Product;
let fronts: readonly RoleProcess[];
beforeAll(async () => {
  product = await openProduct();
  const [one, two] = await Promise.all([product.startFront(), product.startFront(), product.startWorker()]);
  fronts = [one, two];
}, 60_000);

const urls = (): readonly string[] => fronts.map(({ url }) => `${url}/mcp`);
const ANSWER: ElicitResult = { action: 'accept', content: { costCentre: '1100' } };
const CALL = { name: 'purchase_order', arguments: { ...anAskingCall() } };
const quick = { timeout: 60_000 };

/** What an older client writes, to the first front. */
function send(message: object, sessionId?: string): Promise<McpAnswer> {
  return post(urls()[0] ?? '', olderMessage(message, sessionId));
}

describe('a held call of the 2025-11-25 client', () => {
  it('asks on its stream, and the answer to the other front completes the order, once', async () => {
    const balancer = roundRobin(urls());
    const client = await connectOlderClient(overHttp(urls()[0] ?? '', balancer.fetch), { onElicit: () => ANSWER });
    const { structuredContent, isError } = await client.callTool(CALL, CallToolResultSchema, quick);
    expect(isError).toBeUndefined();
    const { taskId } = structuredContent as { taskId: string };
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
    const frontOf = (what: string): number | undefined => balancer.taken.find((one) => one.what === what)?.front;
    expect([frontOf('tools/call'), frontOf('response')].sort()).toEqual([0, 1]);
  }, 90_000);

  it('asks the newer client of the SDK too, where that speaks the older revision', async () => {
    const balancer = roundRobin(urls());
    const info = { name: 'test', version: '1.0.0' };
    const client = new NewerClient(info, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ANSWER);
    await client.connect(new StreamableHTTPClientTransport(new URL(urls()[0] ?? ''), { fetch: balancer.fetch }));
    atScopeEnd(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    const { structuredContent } = await client.callTool(CALL, quick);
    const { taskId } = structuredContent as { taskId: string };
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);

  it('that is aborted is cancelled, though its stream is still open', async () => {
    const client = await connectOlderClient(overHttp(urls()[0] ?? ''));
    const reader = await connectOlderClient(overHttp(urls()[0] ?? ''));
    const computing = { name: 'slow_compute', arguments: { seconds: 120 } };
    // Both count their requests from 0: the other one's is held under the same id.
    const others = reader.callTool(computing, CallToolResultSchema, quick).catch(() => undefined);
    const leaving = new AbortController();
    const left = client.callTool(computing, CallToolResultSchema, { ...quick, signal: leaving.signal });
    const statuses = async (): Promise<string[]> => {
      const { tasks } = await reader.experimental.tasks.listTasks();
      return tasks.slice(0, 2).map(({ status }) => status);
    };
    await eventually(async () => expect(await statuses()).toEqual(['working', 'working']), 30_000);
    leaving.abort('enough');
    await expect(left).rejects.toThrow();
    await eventually(async () => expect((await statuses()).toSorted()).toEqual(['cancelled', 'working']), 30_000);
    await reader.close();
    await others;
  }, 90_000);
});

describe('a task of the 2025-11-25 client', () => {
  it('asks while tasks/result is open, tells of its status there, and is completed once', async () => {
    const balancer = roundRobin(urls());
    const client = await connectOlderClient(overHttp(urls()[0] ?? '', balancer.fetch), { onElicit: () => ANSWER });
    const told: unknown[] = [];
    client.fallbackNotificationHandler = ({ method, params }) => {
      if (method === 'notifications/tasks/status') told.push(params?.['status']);
      return Promise.resolve();
    };
    const stream = client.experimental.tasks.callToolStream(CALL, CallToolResultSchema, { ...quick, task: {} });
    const kinds: string[] = [];
    let taskId = '';
    for await (const message of stream) {
      kinds.push(message.type);
      if (message.type === 'taskCreated') taskId = message.task.taskId;
      if (message.type === 'error') throw message.error;
    }
    expect(kinds.at(-1)).toBe('result');
    expect(told.at(-1)).toBe('completed');
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);

  it('gets its answer though the front that asked was killed meanwhile', async () => {
    const doomed = await product.startFront();
    const survivor = urls()[1] ?? '';
    const balancer = inOrder([`${doomed.url}/mcp`, survivor]);
    const client = await connectOlderClient(overHttp(survivor, balancer.fetch), {
      async onElicit() {
        await kill9(doomed);
        return ANSWER;
      },
    });
    client.onerror = () => undefined;
    const stream = client.experimental.tasks.callToolStream(CALL, CallToolResultSchema, { ...quick, task: {} });
    const created = (await stream.next()).value as { readonly task: { readonly taskId: string } };
    const { taskId } = created.task;
    // This client does not notice that the stream of a wait is gone: it ends with the client.
    client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, quick).catch(() => undefined);
    await eventually(() => balancer.taken.some(({ what }) => what === 'response'), 30_000);
    expect(balancer.taken.slice(-2)).toEqual([
      { what: 'tasks/result', front: 0 },
      { what: 'response', front: 1 },
    ]);
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, quick);
    expect(result.structuredContent).toMatchObject({ taskId });
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);
});

describe('what a client may have changed', () => {
  it('a session id is 404, and a client that starts over goes on', async () => {
    const transport = overHttp(urls()[0] ?? '');
    await connectOlderClient(transport);
    const id = transport.sessionId ?? '';
    expect(id).not.toBe('');
    const list = { id: 1, method: 'tools/list', params: {} };
    expect((await send(list, id)).status).toBe(200);
    const changed = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
    const refused = await send(list, changed);
    expect([refused.status, refused.body.error?.code]).toEqual([404, -32001]);
    const again = overHttp(urls()[1] ?? '');
    await connectOlderClient(again);
    expect((await send(list, again.sessionId)).status).toBe(200);
  }, 60_000);

  it('the id of a question is 400, and the task goes on asking', async () => {
    const { body } = await post(urls()[1] ?? '', { method: 'tools/call', params: CALL });
    const { taskId } = body.result;
    const read = async (): Promise<McpAnswer> => post(urls()[1] ?? '', { method: 'tasks/get', params: { taskId } });
    const asked = await eventually(async () => {
      const { result } = (await read()).body;
      return result.status === 'input_required' && result.inputRequests;
    }, 20_000);
    for (const id of ['AAAA', 0, Object.keys(asked as object)[0], taskId]) {
      const refused = await send({ id, result: ANSWER });
      expect([refused.status, refused.body.error?.code, refused.body.id]).toEqual([400, -32600, undefined]);
    }
    expect((await read()).body.result.inputRequests).toEqual(asked);
    await post(urls()[1] ?? '', { method: 'tasks/cancel', params: { taskId } });
  }, 60_000);
});
