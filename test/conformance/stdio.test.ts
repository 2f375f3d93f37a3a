/**
 * What the `tasks-*` scenarios of the official suite check over HTTP, over stdio: by lines, so that every word is seen. The
 * suite has no stdio. `tasks-request-headers` has no counterpart: there are no headers here.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openFixtures } from '../e2e/clients/support/fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { openLineClient, type Frame, type LineClient } from '../support/line-client.ts';
import type { RpcResult } from '../support/mcp-request.ts';
import { verifies } from '../support/verifies.ts';

let client: LineClient;
beforeAll(async () => {
  const { stdio } = await openFixtures();
  client = openLineClient(stdio);
  expect((await client.request('server/discover')).error).toBeUndefined();
}, 90_000);

const EXTENSION = 'io.modelcontextprotocol/tasks';
const FORMS_ALONE = { elicitation: { form: {} } };
const NO_SUCH_TASK = 'A'.repeat(22);

async function call(
  name: string,
  args: object = {},
  more: { capabilities?: unknown; params?: object } = {},
): Promise<Frame> {
  return client.request('tools/call', { name, arguments: args, ...more.params }, more.capabilities);
}
async function taskOf(name: string, args: object = {}): Promise<RpcResult> {
  const { result } = await call(name, args);
  expect(result).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^[\w-]{22}$/) });
  return result;
}
async function read(taskId: string): Promise<RpcResult> {
  return (await client.request('tasks/get', { taskId })).result;
}
async function until(status: string, taskId: string): Promise<RpcResult> {
  return eventually(async () => {
    const task = await read(taskId);
    return task.status === status && task;
  }, 20_000);
}
async function update(taskId: string, inputResponses: object): Promise<Frame> {
  return client.request('tasks/update', { taskId, inputResponses });
}
const accept = (content: object): object => ({ action: 'accept', content });
const keysOf = ({ inputRequests }: RpcResult): readonly string[] => Object.keys(inputRequests ?? {});

describe('capability negotiation', () => {
  it('shows the extension as {}, and no capability of the older tasks', async () => {
    verifies('cap.advertise');
    const { result } = await client.request('server/discover');
    const { capabilities } = result as RpcResult & { capabilities: { extensions: object; tasks?: unknown } };
    expect(capabilities.extensions).toEqual({ [EXTENSION]: {} });
    expect(capabilities.tasks).toBeUndefined();
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'refuses %s of a request that does not declare it',
    async (method) => {
      verifies('get.undeclared', 'update.undeclared', 'cancel.undeclared');
      const params = { taskId: NO_SUCH_TASK, inputResponses: {} };
      const { error } = await client.request(method, params, FORMS_ALONE);
      expect([error?.code, error?.data?.requiredCapabilities]).toEqual([-32021, { extensions: { [EXTENSION]: {} } }]);
    },
  );

  it('looks at each request of the connection alone', async () => {
    verifies('cap.per-request', 'create.undeclared');
    const args = { seconds: 2 };
    const [plain, task] = await Promise.all([
      call('slow_compute', args, { capabilities: {} }),
      call('slow_compute', args),
    ]);
    expect([plain.result.resultType, plain.result.taskId]).toEqual(['complete', undefined]);
    expect(task.result.resultType).toBe('task');
  });

  it('refuses a tool that is always a task, and names what is missing', async () => {
    verifies('create.required');
    const { error } = await call('failing_job', {}, { capabilities: {} });
    expect([error?.code, error?.data?.requiredCapabilities]).toEqual([-32021, { extensions: { [EXTENSION]: {} } }]);
  });
});

describe('the life of a task', () => {
  it('starts with a flat handle and the fields of this revision, and is found at once', async () => {
    verifies('create.result-type', 'create.durable', 'get.working', 'time.integer');
    const created = await taskOf('slow_compute', { seconds: 30 });
    const now = await read(created.taskId);
    expect(now).toMatchObject({ resultType: 'complete', taskId: created.taskId, status: 'working' });
    for (const task of [created, now] as unknown as Record<string, unknown>[]) {
      expect([task['ttlMs'], task['pollIntervalMs']].every(Number.isInteger)).toBe(true);
      const absent = ['ttl', 'pollInterval', 'requestState', 'task', 'content', 'inputRequests', 'result'];
      expect(absent.filter((name) => name in task)).toEqual([]);
    }
    await client.request('tasks/cancel', { taskId: created.taskId });
  });

  it('ends with the result that the plain call would have had, and without a word of the older tasks', async () => {
    verifies('get.completed', 'get.same-answer', 'get.result-type');
    const { taskId } = await taskOf('slow_compute', { seconds: 2, label: 'sum' });
    const { result, ...task } = await until('completed', taskId);
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'sum: computed for 2 s' }],
      resultType: 'complete',
    });
    expect(task.resultType).toBe('complete');
    expect(JSON.stringify({ task, result })).not.toContain('related-task');
    expect(task).not.toHaveProperty('requestState');
  });

  it('is no task where the answer is there at once', async () => {
    verifies('create.result-type-only');
    expect((await call('greet', { name: 'Ada' })).result).toMatchObject({ resultType: 'complete' });
    const { result } = await call('slow_compute', { seconds: 0 });
    expect([result.resultType, result.content[0].text]).toEqual(['complete', 'job: computed for 0 s']);
  });

  it('is completed by a tool error, and failed by an error of the protocol alone', async () => {
    verifies('status.failed-rpc-only', 'get.failed');
    const [tool, protocol] = await Promise.all([taskOf('failing_job'), taskOf('protocol_error_job')]);
    expect((await until('completed', tool.taskId)).result.isError).toBe(true);
    const failed = await until('failed', protocol.taskId);
    expect(failed.error).toEqual({ code: expect.any(Number), message: expect.any(String) });
    expect(failed).not.toHaveProperty('result');
  });

  it('ends cancelled; the acknowledgement is empty, a second time too', async () => {
    verifies('cancel.ack', 'cancel.result-type', 'get.cancelled', 'status.terminal');
    const { taskId } = await taskOf('slow_compute', { seconds: 60 });
    const cancel = async (): Promise<object> => {
      const { _meta: _, ...acknowledged } = (await client.request('tasks/cancel', { taskId })).result;
      return acknowledged;
    };
    expect(await cancel()).toEqual({ resultType: 'complete' });
    await until('cancelled', taskId);
    expect(await cancel()).toEqual({ resultType: 'complete' });
    expect((await read(taskId)).status).toBe('cancelled');
  });
});

describe('input of a task', () => {
  it('is shown under a key, and an answer to it resumes the task; unknown keys are ignored', async () => {
    verifies('get.input-required', 'update.ack', 'update.result-type', 'update.ignore');
    const { taskId } = await taskOf('confirm_delete', { filename: 'a.txt' });
    const [key = ''] = keysOf(await until('input_required', taskId));
    expect((await update(taskId, { nobody: accept({ confirm: true }) })).error).toBeUndefined();
    expect(keysOf(await read(taskId))).toEqual([key]);
    const { _meta: _, ...acknowledged } = (await update(taskId, { [key]: accept({ confirm: true }) })).result;
    expect(acknowledged).toEqual({ resultType: 'complete' });
    expect((await until('completed', taskId)).result.content[0].text).toBe('Deleted a.txt.');
  });

  it('may come in parts: what is answered is gone from the next answer of tasks/get, the rest is asked on', async () => {
    verifies('update.partial', 'get.all-outstanding', 'keys.unique');
    const { taskId } = await taskOf('multi_input');
    const asked = await until('input_required', taskId);
    const [first = '', second = ''] = keysOf(asked);
    const answers = Object.entries(asked.inputRequests as Record<string, { params: { message: string } }>).map(
      ([key, { params }]) => [key, accept(params.message === 'Go on?' ? { confirm: true } : { name: 'Ada' })] as const,
    );
    await update(taskId, Object.fromEntries(answers.slice(0, 1)));
    const rest = await read(taskId);
    expect([rest.status, keysOf(rest), first === second]).toEqual(['input_required', [second], false]);
    await update(taskId, Object.fromEntries(answers.slice(1)));
    expect((await until('completed', taskId)).result.content[0].text).toBe('name: accept, confirm: accept');
  });

  it('that is needed before the task is asked by multi round trip, and the task then carries no state of it', async () => {
    verifies('create.mrtr-first', 'mrtr.state');
    const first = (await call('test_tool_with_task')).result;
    expect([first.resultType, first.taskId, keysOf(first)]).toEqual(['input_required', undefined, ['user_name']]);
    const inputResponses = { user_name: accept({ name: 'Alice' }) };
    const { requestState } = first;
    const changed = await call('test_tool_with_task', {}, { params: { requestState: 'x', inputResponses } });
    expect(changed.error?.code).toBe(-32602);
    const task = (await call('test_tool_with_task', {}, { params: { requestState, inputResponses } })).result;
    expect(task.resultType).toBe('task');
    expect(['requestState', 'inputRequests'].filter((name) => name in task)).toEqual([]);
    expect((await until('completed', task.taskId)).result.content[0].text).toContain('Alice');
  });
});

describe('dispatch', () => {
  it.each(['tasks/list', 'tasks/result'])('knows no %s', async (method) => {
    expect((await client.request(method, { taskId: NO_SUCH_TASK })).error?.code).toBe(-32601);
  });

  it('takes no notice of the older params.task', async () => {
    verifies('create.tools-call');
    const { result } = await call('greet', { name: 'Ada' }, { params: { task: { ttl: 5 } } });
    expect([result.resultType, result.content[0].text]).toEqual(['complete', 'Hello, Ada!']);
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'answers %s of an unknown task with -32602',
    async (method) => {
      verifies('get.unknown', 'update.unknown', 'cancel.unknown');
      const { error } = await client.request(method, { taskId: NO_SUCH_TASK, inputResponses: {} });
      expect(error?.code).toBe(-32602);
    },
  );
});

describe('notifications/tasks on a subscription', () => {
  it('come after the acknowledgement, under its id, one a change, and end with the task', async () => {
    verifies('listen.push', 'listen.ack-first', 'listen.ack-ids', 'listen.id', 'listen.same-body', 'listen.end');
    const { taskId } = await taskOf('confirm_delete', { filename: 'b.txt' });
    const asked = await until('input_required', taskId);
    const id = client.send('subscriptions/listen', { notifications: { taskIds: [taskId, NO_SUCH_TASK] } });
    const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
    const ours = (): readonly Frame[] =>
      client.frames().filter(({ params, id: answered }) => {
        const meta = params?.['_meta'] as Record<string, unknown> | undefined;
        return answered === id || meta?.[subscriptionId] === id;
      });
    await eventually(() => ours().length === 2, 10_000);
    expect(ours()[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    const { resultType: _, _meta: __, ...body } = asked as RpcResult & { _meta?: unknown };
    expect(ours()[1]).toMatchObject({ method: 'notifications/tasks', params: body });
    const [key = ''] = keysOf(asked);
    await update(taskId, { [key]: accept({ confirm: true }) });
    await eventually(() => ours().some((frame) => frame.id === id), 20_000);
    expect(ours().at(-2)).toMatchObject({ method: 'notifications/tasks', params: { taskId, status: 'completed' } });
    expect(ours().at(-1)).toMatchObject({ id, result: expect.anything() });
  });

  it('are refused to a request that does not declare the extension', async () => {
    verifies('listen.undeclared');
    const { error } = await client.request('subscriptions/listen', { notifications: { taskIds: [NO_SUCH_TASK] } }, {});
    expect(error?.code).toBe(-32021);
  });
});

describe('all that the server wrote', () => {
  it('is JSON-RPC 2.0, one message a line, and answers every request once', () => {
    const frames = client.frames();
    expect(frames.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
    const ids = frames.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
