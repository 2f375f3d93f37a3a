import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { TASK_NOT_FOUND_TEXT } from '../../../server/errors.ts';
import { eventually } from '../../support/eventually.ts';
import type { McpAnswer, RpcResult } from '../../support/mcp-request.ts';
import { connectOlderClient, overHttp } from '../../support/older-client.ts';
import { CALLER, startTestFront, type TestFront } from '../../support/test-front.ts';
import { testCaller } from '../../support/test-caller.ts';

let front: TestFront;
let client: Client;
beforeAll(async () => {
  front = await startTestFront();
  client = await connectOlderClient(overHttp(front.url));
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
  front.store.onCreated = () => undefined;
});

const RELATED = 'io.modelcontextprotocol/related-task';
const ORDER = { name: 'order', arguments: { vendor: 'Nordlicht' } };

/** What the older client would send, with nothing checked on its side. */
async function send(
  method: string,
  params: object,
  { revision = '2025-11-25', signal }: { revision?: string; signal?: AbortSignal } = {},
): Promise<McpAnswer> {
  return front.post({
    method,
    rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'mcp-protocol-version': revision, 'mcp-method': undefined, 'mcp-name': undefined },
    ...(signal === undefined ? {} : { signal }),
  });
}
interface LegacyTask {
  readonly taskId: string;
  readonly status: string;
  readonly ttl: number;
}
async function create(task: object = {}): Promise<LegacyTask> {
  const { body } = await send('tools/call', { ...ORDER, task });
  return (body.result as RpcResult & { readonly task: LegacyTask }).task;
}

describe('initialize and tools/list of MCP 2025-11-25', () => {
  it('advertise the experimental tasks, and for each tool whether it may be one', async () => {
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    expect(support).toMatchObject({ greet: 'forbidden', order: 'optional', required_job: 'required' });
    expect(support).toHaveProperty('task_wait', undefined);
  });

  it('leave both out of MCP 2026-07-28', async () => {
    const { text: discovered } = await front.post({ method: 'server/discover' });
    const { text: listed } = await front.post({ method: 'tools/list' });
    expect(discovered).not.toContain('"requests"');
    expect(listed).not.toContain('taskSupport');
  });
});

describe('tools/call with params.task', () => {
  it('answers with a nested task at once, in the field names of its revision', async () => {
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'soon');
    const { body } = await send('tools/call', { ...ORDER, task: { ttl: 60_000 } });
    expect(body.result).toEqual({
      task: {
        taskId: expect.stringMatching(/^[\w-]{22}$/) as unknown,
        status: 'working',
        createdAt: expect.stringMatching(/Z$/) as unknown,
        lastUpdatedAt: expect.stringMatching(/Z$/) as unknown,
        ttl: 60_000,
        pollInterval: 1_000,
      },
    });
  });

  it("caps the ttl by the tool's maximum, and takes the tool's own where none is given", async () => {
    expect((await create({ ttl: 1e15 })).ttl).toBe(30 * 86_400_000);
    expect((await create({ ttl: 0 })).ttl).toBe(1_000);
    expect((await create({})).ttl).toBe(86_400_000);
  });

  it.each([[7], [null], [[]], [{ ttl: 'long' }], [{ ttl: -1 }]])(
    'refuses the malformed %j with -32602',
    async (task) => {
      const { body } = await send('tools/call', { ...ORDER, task });
      expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('params.task') as unknown });
      expect(front.store.entries.size).toBe(0);
    },
  );

  it('is -32601 for a tool that is never a task; a call without it for one that always is', async () => {
    const never = await send('tools/call', { name: 'greet', arguments: { name: 'Ann' }, task: {} });
    expect(never.body.error).toMatchObject({ code: -32601, message: expect.stringContaining('greet') as unknown });
    const always = await send('tools/call', { name: 'required_job', arguments: {} });
    expect(always.body.error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('params.task') as unknown,
    });
    expect(front.store.entries.size).toBe(0);
  });

  it('means nothing to MCP 2026-07-28', async () => {
    const { body } = await front.post({ method: 'tools/call', params: { ...ORDER, task: { ttl: 5 } } });
    expect(body.result).toMatchObject({ resultType: 'task', ttlMs: 86_400_000 });
  });
});

describe('tasks/result', () => {
  it('waits for the end and brings the plain result, tied to its task', async () => {
    const { taskId } = await create();
    const waiting = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    await eventually(() => front.store.watcherCount > 0);
    front.store.finishWithText(taskId, 'done');
    expect(await waiting).toEqual({ content: [{ type: 'text', text: 'done' }], _meta: { [RELATED]: { taskId } } });
    expect((await send('tasks/result', { taskId })).text).not.toContain('resultType');
  });

  it('brings the error of a failed task, and says of a cancelled one that it was', async () => {
    const [failed, cancelled] = [await create(), await create()];
    front.store.finish(failed.taskId, { status: 'failed', error: { code: -32050, message: 'no power' } });
    front.store.finish(cancelled.taskId, { status: 'cancelled' });
    const error = (await send('tasks/result', { taskId: failed.taskId })).body.error;
    expect(error).toEqual({ code: -32050, message: 'no power' });
    const { result } = (await send('tasks/result', { taskId: cancelled.taskId })).body;
    expect([result.isError, result.content[0].text]).toEqual([true, `Task ${cancelled.taskId} was cancelled.`]);
  });

  it('ends with the connection, and nothing goes on watching', async () => {
    const { taskId } = await create();
    const control = new AbortController();
    const waiting = send('tasks/result', { taskId }, { signal: control.signal }).then(() => 'none', String);
    await eventually(() => front.store.watcherCount === 1);
    control.abort();
    expect(await waiting).toContain('abort');
    await eventually(() => front.store.watcherCount === 0);
  });
});

describe('tasks/get, tasks/list and tasks/cancel of MCP 2025-11-25', () => {
  it('tell of a task that a caller of the Tasks extension started', async () => {
    const { body } = await front.post({ method: 'tools/call', params: ORDER });
    const { taskId } = body.result;
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({
      taskId,
      status: 'working',
      ttl: 86_400_000,
    });
    const { taskId: older } = await create();
    const read = await front.post({ method: 'tasks/get', params: { taskId: older } });
    expect(read.body.result).toMatchObject({ taskId: older, status: 'working', ttlMs: 86_400_000 });
  });

  it("list the caller's own tasks, page by page", async () => {
    await front.store.create(testCaller('f'.repeat(32)), { ...foreign });
    const created: string[] = [];
    for (let count = 0; count < 25; count += 1) created.unshift((await create()).taskId);
    const first = await client.experimental.tasks.listTasks();
    const second = await client.experimental.tasks.listTasks(first.nextCursor);
    expect([...first.tasks, ...second.tasks].map(({ taskId }) => taskId)).toEqual(created);
    expect(second.nextCursor).toBeUndefined();
  });

  it.each(['nonsense', 7])('refuse the cursor %j', async (cursor) => {
    expect((await send('tasks/list', { cursor })).body.error?.code).toBe(-32602);
  });

  it('cancel, and answer with the cancelled task; a second time is -32602', async () => {
    const { taskId } = await create();
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    const again = await send('tasks/cancel', { taskId });
    expect(again.body.error).toMatchObject({ code: -32602, message: expect.stringContaining('cancelled') as unknown });
    expect((await front.store.get(CALLER, taskId)).status).toBe('cancelled');
  });

  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    '%s answers unknown, malformed and foreign alike',
    async (method) => {
      const { task } = await front.store.create(testCaller('f'.repeat(32)), { ...foreign });
      for (const taskId of ['A'.repeat(22), 'x', 7, undefined, task.taskId]) {
        const { body } = await send(method, { taskId });
        expect(body.error).toEqual({ code: -32602, message: TASK_NOT_FOUND_TEXT });
      }
    },
  );
});

const foreign = {
  tool: 'order',
  args: {},
  features: { elicitationForm: false },
  ttlMs: 1_000,
  maxTtlMs: 1_000,
  pollIntervalMs: 1_000,
};

describe.each(['2025-06-18', '2025-11-25'])('a plain call of MCP %s', (revision) => {
  it('is held, and answered as if there were no task', async () => {
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'done');
    const { body } = await send('tools/call', ORDER, { revision });
    expect(body.result).toEqual({ content: [{ type: 'text', text: 'done' }] });
  });

  it('names the task when it takes longer, for the fallback tools', async () => {
    const { body } = await send('tools/call', ORDER, { revision });
    const { id } = body.result.structuredContent.task as { id: string };
    front.store.finishWithText(id, 'later');
    const { result } = (await send('tools/call', { name: 'task_result', arguments: { id } }, { revision })).body;
    expect(result.content[0].text).toBe('later');
  });
});

describe('the official client', () => {
  it('drives a tool that is always a task to its result', async () => {
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'driven');
    const stream = client.experimental.tasks.callToolStream({ name: 'required_job', arguments: {} });
    const kinds: string[] = [];
    let result: CallToolResult | undefined;
    for await (const message of stream) {
      kinds.push(message.type);
      if (message.type === 'result') result = message.result as CallToolResult;
    }
    expect(kinds).toEqual(['taskCreated', 'taskStatus', 'result']);
    expect(result?.content).toEqual([{ type: 'text', text: 'driven' }]);
  });

  it('gets progress while a plain call is held', async () => {
    const quick = await startTestFront({ fallbackBudgetMs: 2_000, progressIntervalMs: 20 });
    const other = await connectOlderClient(overHttp(quick.url));
    const steps: number[] = [];
    const held = other.callTool(ORDER, CallToolResultSchema, {
      onprogress: ({ progress }) => void steps.push(progress),
    });
    await eventually(() => steps.length > 1);
    const [taskId = ''] = quick.store.entries.keys();
    quick.store.finishWithText(taskId, 'done');
    expect((await held).content).toEqual([{ type: 'text', text: 'done' }]);
    await other.close();
    await quick.front.drain();
  });
});
