import { describe, expect, it } from '@jest/globals';
import { elicitation, flag } from '../../../protocol/form.ts';
import { MAX_BODY_BYTES } from '../../../server/read-body.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { askingCatalog } from '../../support/asking-catalog.ts';
import { eventually } from '../../support/eventually.ts';
import { connectOlderClient } from '../../support/older-client.ts';
import { CALLER } from '../../support/test-front.ts';
import { startTestStdio, type StdioFrame, type TestStdio } from '../../support/test-stdio.ts';

const ORDER = { name: 'order', arguments: { vendor: 'Nordlicht' } };
const QUESTION = { 'q-1': elicitation('Really?', { sure: flag() }) };
const YES = { action: 'accept', content: { sure: true } } as const;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const onlyTask = ({ store }: TestStdio): Promise<string> =>
  eventually(() => {
    const [taskId] = store.entries.keys();
    return taskId ?? false;
  });
async function createTask(stdio: TestStdio): Promise<string> {
  const { result } = await stdio.answer(stdio.send('tools/call', ORDER));
  expect(result?.['resultType']).toBe('task');
  return String(result?.['taskId']);
}

describe('MCP 2026-07-28 over stdio', () => {
  it('discovers, lists, calls, gets and cancels as over HTTP', async () => {
    const stdio = startTestStdio();
    const discovered = await stdio.answer(stdio.send('server/discover'));
    expect(discovered.result?.['capabilities']).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const greeted = await stdio.answer(stdio.send('tools/call', { name: 'greet', arguments: { name: 'Ann' } }));
    expect(greeted.result?.['content']).toEqual([{ type: 'text', text: 'Hello, Ann!' }]);
    const taskId = await createTask(stdio);
    const got = await stdio.answer(stdio.send('tasks/get', { taskId }));
    expect(got.result).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    await stdio.answer(stdio.send('tasks/cancel', { taskId }));
    expect((await stdio.store.get(CALLER, taskId)).status).toBe('cancelled');
  });

  it('listens to tasks: acknowledgement, state, each change, and the result at the end', async () => {
    const stdio = startTestStdio();
    const taskId = await createTask(stdio);
    const taskIds = [taskId, 'A'.repeat(22)];
    const id = stdio.send('subscriptions/listen', { notifications: { taskIds } });
    const told = (): readonly unknown[] =>
      stdio.frames().flatMap(({ params }) => ((params?.['_meta'] as object | undefined) ? [params] : []));
    await eventually(() => told().length === 2);
    stdio.store.finishWithText(taskId, 'done');
    const end = await stdio.answer(id);
    expect(end.result).toMatchObject({ resultType: 'complete', _meta: { [SUBSCRIPTION]: id } });
    const _meta = { [SUBSCRIPTION]: id };
    expect(told()).toMatchObject([
      { notifications: { taskIds: [taskId] }, _meta },
      { taskId, status: 'working', _meta },
      { taskId, status: 'completed', result: { content: [{ text: 'done' }] }, _meta },
    ]);
  });

  it('stops a subscription that the client cancels, and sends nothing more on it', async () => {
    const stdio = startTestStdio();
    const taskId = await createTask(stdio);
    const requestId = stdio.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await eventually(() => stdio.store.watcherCount === 1);
    stdio.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
    await eventually(() => stdio.store.watcherCount === 0);
    stdio.store.finishWithText(taskId, 'done');
    await stdio.answer(stdio.send('tools/list'));
    expect(stdio.frames().filter((frame) => frame.id === requestId)).toEqual([]);
  });

  it('refuses to listen to tasks without the extension, or with a malformed filter', async () => {
    const stdio = startTestStdio();
    const undeclared = stdio.send('subscriptions/listen', { notifications: { taskIds: [] } }, {});
    expect((await stdio.answer(undeclared)).error?.code).toBe(-32021);
    const malformed = stdio.send('subscriptions/listen', { notifications: { taskIds: 'all' } });
    expect((await stdio.answer(malformed)).error?.code).toBe(-32602);
  });

  it('takes no more than a hundred subscriptions', async () => {
    const stdio = startTestStdio();
    const taskId = await createTask(stdio);
    const params = { notifications: { taskIds: [taskId] } };
    for (let count = 0; count < 100; count += 1) stdio.send('subscriptions/listen', params);
    await eventually(() => stdio.store.watcherCount === 100);
    expect((await stdio.answer(stdio.send('subscriptions/listen', params))).error?.code).toBe(-31002);
  });
});

describe('a line that is no message', () => {
  it.each([
    ['{bad', -32700, undefined],
    ['[]', -32600, undefined],
    ['{"jsonrpc":"2.0","id":"a","method":7}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, undefined],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(70)}${']'.repeat(70)}}`, -32600, undefined],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', -32600, 1],
    ['x'.repeat(MAX_BODY_BYTES + 1), -32600, undefined],
  ])('is refused at once, and the next one is served: row %#', async (line, code, id) => {
    const stdio = startTestStdio();
    stdio.write(line);
    const listed = await stdio.answer(stdio.send('tools/list'));
    expect(listed.id === id || listed.result !== undefined).toBe(true);
    expect(stdio.frames()[0]).toMatchObject({ error: { code } });
    expect(stdio.frames()[0]?.id).toBe(id);
  });

  it('is refused when it is not UTF-8', async () => {
    const stdio = startTestStdio();
    stdio.input.write(Buffer.from([0x22, 0xff, 0x22, 10]));
    await stdio.answer(stdio.send('tools/list'));
    expect(stdio.frames()[0]).toMatchObject({ error: { code: -32700 } });
  });

  it('is passed over when it is empty, however the next one is cut', async () => {
    const stdio = startTestStdio();
    stdio.write('');
    const line = JSON.stringify({ jsonrpc: '2.0', id: 'é', method: 'ping' });
    for (const byte of Buffer.from(line)) stdio.input.write(Buffer.from([byte]));
    stdio.input.write('\n');
    expect((await stdio.answer('é')).result).toEqual({});
  });
});

describe('the end of the input', () => {
  it('ends a held call with the normal result that names the task, which goes on', async () => {
    const stdio = startTestStdio({ fallbackBudgetMs: 60_000 });
    const id = stdio.send('tools/call', ORDER, {});
    const taskId = await onlyTask(stdio);
    stdio.input.end();
    await stdio.server.ended;
    await stdio.server.drain();
    const { result } = await stdio.answer(id);
    expect(result).toMatchObject({ structuredContent: { task: { id: taskId, status: 'working' } } });
    expect((await stdio.store.get(CALLER, taskId)).status).toBe('working');
  });

  it('ends a subscription with its result', async () => {
    const stdio = startTestStdio();
    const taskId = await createTask(stdio);
    const id = stdio.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await eventually(() => stdio.store.watcherCount === 1);
    await stdio.server.drain();
    expect((await stdio.answer(id)).result).toMatchObject({ resultType: 'complete' });
    expect(stdio.store.watcherCount).toBe(0);
  });
});

async function initialize(stdio: TestStdio, capabilities: object = {}): Promise<void> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } };
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params }));
  await stdio.answer('a');
}

const frameOf = (stdio: TestStdio, method: string): Promise<StdioFrame> =>
  eventually(() => stdio.frames().find((frame) => frame.method === method) ?? false);

describe('MCP 2025-11-25 over stdio', () => {
  it('puts the questions of a task to the client while tasks/result is open', async () => {
    const stdio = startTestStdio();
    const asked: string[] = [];
    const client = await connectOlderClient(stdio.transport(), { onElicit: (message) => (asked.push(message), YES) });
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, QUESTION);
    const kinds: string[] = [];
    const stream = client.experimental.tasks.callToolStream({ name: 'asking_job', arguments: {} }, undefined, {
      task: {},
    });
    for await (const message of stream) {
      kinds.push(message.type === 'taskStatus' ? message.task.status : message.type);
      if (message.type !== 'taskStatus') continue;
      const taskId = message.task.taskId;
      void eventually(() => stdio.store.entries.get(taskId)?.delivered.length === 1).then(() => {
        stdio.store.finishWithText(taskId, 'done');
      });
    }
    expect(kinds).toEqual(['taskCreated', 'input_required', 'result']);
    expect(asked).toEqual(['Really?']);
    const [entry] = stdio.store.entries.values();
    expect(entry?.delivered).toEqual([{ 'q-1': YES }]);
    expect(entry?.call.features).toMatchObject({ elicitationForm: true, sampling: false });
  });

  it('puts them while a plain call is held, and what is asked before a task exists', async () => {
    const stdio = startTestStdio({ fallbackBudgetMs: 20_000 }, askingCatalog);
    const asked: string[] = [];
    const answers: Readonly<Record<string, object>> = {
      'How many nights?': { nights: 2 },
      'Breakfast?': { breakfast: true },
    };
    const client = await connectOlderClient(stdio.transport(), {
      onElicit: (message) => {
        asked.push(message);
        return { action: 'accept', content: { sure: true, ...answers[message] } };
      },
    });
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, QUESTION);
    const held = client.callTool({ name: 'book', arguments: { room: 'blue' } });
    const taskId = await onlyTask(stdio);
    await eventually(() => stdio.store.entries.get(taskId)?.delivered.length === 1);
    stdio.store.finishWithText(taskId, 'booked');
    expect((await held).content).toEqual([{ type: 'text', text: 'booked' }]);
    expect(asked.toSorted()).toEqual(['Breakfast?', 'How many nights?', 'Really?']);
    expect(stdio.store.entries.get(taskId)?.call.args).toEqual({ room: 'blue', nights: 2, breakfast: true });
  });

  // By its frames: the official client ignores the cancellation of a request whose id is 0, as the first one's is.
  it('withdraws a question that was answered elsewhere', async () => {
    const stdio = startTestStdio();
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, QUESTION);
    await initialize(stdio, { elicitation: {} });
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { ...ORDER, task: {} } }));
    const taskId = await onlyTask(stdio);
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'tasks/result', params: { taskId } }));
    const { id, params } = await frameOf(stdio, 'elicitation/create');
    expect(params).toMatchObject({ message: 'Really?', _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });
    await stdio.store.deliver(CALLER, taskId, { 'q-1': YES });
    expect((await frameOf(stdio, 'notifications/cancelled')).params).toMatchObject({ requestId: id });
    stdio.store.finishWithText(taskId, 'done');
    expect((await stdio.answer('c')).result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(stdio.store.entries.get(taskId)?.delivered).toEqual([{ 'q-1': YES }]);
  });

  it('takes an error as an answer that fits nothing', async () => {
    const stdio = startTestStdio();
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, QUESTION);
    await initialize(stdio, { elicitation: {} });
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: ORDER }));
    const { id } = await frameOf(stdio, 'elicitation/create');
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'no window' } }));
    const [entry] = stdio.store.entries.values();
    await eventually(() => entry?.delivered.length === 1);
    expect(entry?.delivered).toEqual([{ 'q-1': null }]);
  });

  it('ends tasks/result with an error when an answer cannot be delivered, and asks whoever waits next', async () => {
    const stdio = startTestStdio();
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, QUESTION);
    await initialize(stdio, { elicitation: {} });
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { ...ORDER, task: {} } }));
    const taskId = await onlyTask(stdio);
    const wait = (id: string): void =>
      stdio.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tasks/result', params: { taskId } }));
    wait('c');
    const { id } = await frameOf(stdio, 'elicitation/create');
    stdio.store.nextError = new StoreUnavailable('no answer from 10.0.0.7');
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id, result: YES }));
    const { error } = await stdio.answer('c');
    expect(error?.code).toBe(-32603);
    expect(error?.message).not.toContain('10.0.0.7');
    wait('d');
    await eventually(() => stdio.frames().filter(({ method }) => method === 'elicitation/create').length === 2);
  });

  it('asks nothing of a client that did not declare it', async () => {
    const stdio = startTestStdio();
    const client = await connectOlderClient(stdio.transport());
    const refused = await client.callTool({ name: 'asking_job', arguments: {} });
    expect(refused.isError).toBe(true);
    expect(stdio.store.entries.size).toBe(0);
  });

  it('puts no question to who did not declare it, though the task of another client asks', async () => {
    const stdio = startTestStdio();
    const features = { elicitationForm: true };
    const times = { ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000 };
    const { task } = await stdio.store.create(CALLER, { tool: 'order', args: {}, features, ...times });
    stdio.store.ask(task.taskId, QUESTION);
    await initialize(stdio);
    const params = { taskId: task.taskId };
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tasks/result', params }));
    await eventually(() => stdio.store.watcherCount === 1);
    stdio.store.report(task.taskId, 'still asking');
    stdio.store.finishWithText(task.taskId, 'done');
    await stdio.answer('b');
    expect(stdio.frames().map(({ id, method }) => method ?? id)).toEqual(['a', 'b']);
  });

  it('tells of each new status of a task that it gave out', async () => {
    const stdio = startTestStdio();
    await initialize(stdio);
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { ...ORDER, task: {} } }));
    await stdio.answer('b');
    const taskId = await onlyTask(stdio);
    await eventually(() => stdio.store.watcherCount === 1);
    stdio.store.finishWithText(taskId, 'done');
    const [told] = await eventually(() => {
      const notices = stdio.frames().filter(({ method }) => method === 'notifications/tasks/status');
      return notices.length > 0 && notices;
    });
    expect(told?.params).toMatchObject({ taskId, status: 'completed', ttl: expect.any(Number) as unknown });
    expect(stdio.store.watcherCount).toBe(0);
  });
});
