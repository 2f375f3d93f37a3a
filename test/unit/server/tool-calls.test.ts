import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_META, TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { eventually } from '../../support/eventually.ts';
import type { McpAnswer, McpRequest } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
  front.store.onCreated = () => undefined;
});

const UNDECLARED = { capabilities: {} };
const TASKS_ONLY = { capabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
const NOTHING = { elicitationForm: false, elicitationUrl: false, sampling: false, roots: false };
const firstText = ({ body }: McpAnswer): string => body.result.content[0].text;
const onlyEntry = (): ReturnType<typeof front.store.entries.get> => [...front.store.entries.values()][0];

describe('a call that cannot be served', () => {
  it.each(['no_such_tool', 'constructor', '__proto__', 'toString', ''])('is -32602 for the tool %j', async (name) => {
    const { status, body } = await front.call(name);
    expect([status, body.error?.code]).toEqual([200, -32602]);
  });

  it.each(['{"vendor":"V1"}', null, [], 42])('is -32602 when the arguments are %j', async (args) => {
    verifies('tools.validate');
    const { status, body } = await front.call('order', args);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      200,
      -32602,
      'params.arguments must be an object.',
    ]);
    expect(front.store.entries.size).toBe(0);
  });

  it('takes missing arguments for none', async () => {
    const { body } = await front.post({ method: 'tools/call', params: { name: 'required_job' } });
    expect(body.result.resultType).toBe('task');
  });

  it.each([
    [{}, 'vendor is missing; it must be a string'],
    [{ vendor: ['V1'] }, 'vendor must be a string'],
    [{ vendor: 'V', quantity: '5' }, 'quantity must be a number'],
    [{ vendor: 'V', quantity: 2.5 }, 'quantity must be a whole number'],
    [{ vendor: 'V', lines: '[{"sku":"A"}]' }, 'lines must be an array'],
    [{ vendor: 'V', lines: [{ sku: 'A' }, { sku: 7 }] }, 'lines[1].sku must be a string'],
    [{ vendor: 'V', unit: 'ton' }, 'unit must be one of "piece", "box"'],
    [{ vendor: 'V', extra: 1 }, 'extra is not a known argument'],
    [{ vendor: 'V', constructor: { prototype: { admin: true } } }, 'constructor is not a known argument'],
    [{ vendor: 'V', idempotencyKey: 7 }, 'idempotencyKey must be a string'],
  ])('is a tool error that names the member for %j, and no task', async (args, fault) => {
    verifies('tools.validate');
    const { body } = await front.call('order', args);
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text.split('\n').slice(1)).toEqual([fault]);
    expect(front.store.entries.size).toBe(0);
  });

  it('never repeats the value of an argument', async () => {
    const { text } = await front.call('order', { vendor: ['s3cret'], unit: 's3cret', quantity: 's3cret' });
    expect(text).not.toContain('s3cret');
  });
});

describe('a tool that answers at once', () => {
  it('runs here, whatever the caller declares', async () => {
    verifies('create.result-type-only', 'env.result-type');
    expect(firstText(await front.call('greet', { name: 'Ada' }, UNDECLARED))).toBe('Hello, Ada!');
  });

  it('says its own no as a tool error, and of the unforeseen nothing', async () => {
    const no = await front.call('greet', { name: 'nobody' });
    expect([no.body.result.isError, firstText(no)]).toEqual([true, 'nobody cannot be greeted']);
    const crash = await front.call('greet', { name: 'crash' });
    expect([crash.status, crash.body.error?.code]).toEqual([200, -32603]);
    expect(crash.text).not.toMatch(/postgres|stack|at /);
  });
});

describe('a missing capability', () => {
  const required = async (name: string, capabilities: unknown): Promise<unknown[]> => {
    const { status, body } = await front.call(name, {}, { capabilities });
    expect(front.store.entries.size).toBe(0);
    return [status, body.error?.code, body.error?.data?.requiredCapabilities];
  };
  const tasks = { extensions: { [TASKS_EXTENSION]: {} } };
  const forms = { elicitation: { form: {} } };

  it('refuses a tool that is always a task', async () => {
    verifies('create.required', 'env.capability');
    expect(await required('required_job', {})).toEqual([400, -32021, tasks]);
    expect(await required('required_job', { extensions: {} })).toEqual([400, -32021, tasks]);
  });

  it('refuses a tool that must ask, naming exactly what is missing', async () => {
    verifies('mrtr.kinds');
    expect(await required('asking_job', {})).toEqual([400, -32021, forms]);
    expect(await required('asking_job', tasks)).toEqual([400, -32021, forms]);
    expect(await required('asking_job', { ...tasks, elicitation: { url: {} } })).toEqual([400, -32021, forms]);
  });

  it('takes an empty elicitation object for forms', async () => {
    const { body } = await front.call('asking_job', {}, { capabilities: { ...tasks, elicitation: {} } });
    expect(body.result.resultType).toBe('task');
    expect(onlyEntry()?.call.features).toEqual({ ...NOTHING, elicitationForm: true });
  });

  it.each([true, null, [], 'yes'])('is what the malformed extension value %j declares', async (value) => {
    verifies('create.undeclared');
    const { status, body } = await front.call(
      'required_job',
      {},
      { capabilities: { extensions: { [TASKS_EXTENSION]: value } } },
    );
    expect(status).toBe(400);
    expect([-32602, -32021]).toContain(body.error?.code);
    expect(front.store.entries.size).toBe(0);
  });

  it('is not made good by the extension at the top level of params', async () => {
    verifies('cap.per-request');
    const params = { name: 'required_job', arguments: {}, [TASKS_EXTENSION]: {} };
    const { body } = await front.post({ method: 'tools/call', params, capabilities: { extensions: {} } });
    expect(body.error?.code).toBe(-32021);
  });
});

describe('a declared call', () => {
  it('answers a task when the budget is over, flat and without content', async () => {
    verifies('create.result-type');
    const { body } = await front.call('order', { vendor: 'V' });
    const { _meta, ...task } = body.result;
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 86_400_000,
      pollIntervalMs: 1_000,
    });
  });

  it('answers the plain result when the task ends within the budget', async () => {
    front.store.onCreated = (taskId) => setTimeout(() => front.store.finishWithText(taskId, 'ordered'), 30);
    const answer = await front.call('order', { vendor: 'V' });
    expect([answer.body.result.resultType, firstText(answer)]).toEqual(['complete', 'ordered']);
  });

  it('answers the task as soon as a question is open', async () => {
    front.store.onCreated = (taskId) =>
      setTimeout(
        () => front.store.ask(taskId, { q: { method: 'elicitation/create', params: { message: 'Why?' } } }),
        20,
      );
    const startedAt = performance.now();
    const { body } = await front.call('order', { vendor: 'V' });
    expect([body.result.resultType, body.result.status]).toEqual(['task', 'input_required']);
    expect(body.result).not.toHaveProperty('inputRequests');
    expect(performance.now() - startedAt).toBeLessThan(190);
  });

  it('answers a failed task with its error and a cancelled one as a tool error', async () => {
    verifies('get.same-answer');
    front.store.onCreated = (taskId) =>
      front.store.finish(taskId, { status: 'failed', error: { code: -32000, message: 'broken', data: { at: 1 } } });
    expect((await front.call('order', { vendor: 'V' })).body.error).toEqual({
      code: -32000,
      message: 'broken',
      data: { at: 1 },
    });
    front.store.onCreated = (taskId) => front.store.finish(taskId, { status: 'cancelled' });
    expect((await front.call('order', { vendor: 'W' })).body.result.isError).toBe(true);
  });

  it('hands defaults on and keeps the idempotency key out of the arguments', async () => {
    await front.call('order', { vendor: 'V', idempotencyKey: 'k-0' });
    expect(onlyEntry()?.call).toMatchObject({ args: { vendor: 'V', unit: 'piece' }, idempotencyKey: 'k-0' });
    expect(onlyEntry()?.call.args).not.toHaveProperty('idempotencyKey');
  });

  it('whose handle nobody got is cancelled when the connection closes, unless a key finds the task again', async () => {
    for (const [args, reason] of [
      [{ vendor: 'V' }, 'the caller closed the connection'],
      [{ vendor: 'V', idempotencyKey: 'k-8' }, undefined],
    ] as const) {
      front.store.entries.clear();
      const control = new AbortController();
      front.store.onCreated = () => control.abort();
      await expect(front.call('order', args, { signal: control.signal })).rejects.toThrow('abort');
      await eventually(() => onlyEntry()?.cancelReason === reason);
    }
  });
});

describe('a held call', () => {
  it('answers the plain result of the same workflow, which may not ask', async () => {
    verifies('create.undeclared');
    front.store.onCreated = (taskId) => setTimeout(() => front.store.finishWithText(taskId, 'ordered'), 250);
    expect(firstText(await front.call('order', { vendor: 'V' }, UNDECLARED))).toBe('ordered');
    expect(onlyEntry()?.call.features).toEqual(NOTHING);
  });

  it('names the task when the budget is over, and is no error', async () => {
    const { body } = await front.call('order', { vendor: 'V' }, UNDECLARED);
    const [taskId] = [...front.store.entries.keys()];
    expect(body.result.isError).toBeUndefined();
    expect(body.result.content[0].text).toContain(`Task ${String(taskId)} is not finished yet`);
    expect(body.result.structuredContent.task).toMatchObject({ id: taskId, status: 'working' });
  });

  it('cancels its task when the connection closes, unless a key finds the task again', async () => {
    verifies('http.close-cancels');
    for (const [args, reason] of [
      [{ vendor: 'V' }, 'the caller closed the connection'],
      [{ vendor: 'V', idempotencyKey: 'k-9' }, undefined],
    ] as const) {
      front.store.entries.clear();
      const control = new AbortController();
      front.store.onCreated = () => setTimeout(() => control.abort(), 20);
      await expect(front.call('order', args, { ...UNDECLARED, signal: control.signal })).rejects.toThrow('abort');
      await eventually(async () => {
        const metrics = await (await fetch(`${front.origin}/metrics`)).text();
        return metrics.includes('mcp_tool_calls_open 0');
      });
      expect(onlyEntry()?.cancelReason).toBe(reason);
    }
  });

  it('serves an older revision, without the newer words', async () => {
    front.store.onCreated = (taskId) => front.store.finishWithText(taskId, 'ordered');
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'order', arguments: { vendor: 'V' } },
      }),
    });
    const text = await response.text();
    expect(text).toContain('ordered');
    expect(text).not.toContain('resultType');
  });
});

describe('an idempotency key', () => {
  const call = (args: object, more: Partial<McpRequest> = {}): Promise<McpAnswer> =>
    front.call('order', { vendor: 'V', ...args }, { ...TASKS_ONLY, ...more });

  it('leads to the same task from each of its three places', async () => {
    const answers = await Promise.all([
      call({ idempotencyKey: 'k-1' }),
      call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'k-1' } }),
      call({}, { headers: { 'idempotency-key': 'k-1' } }),
      call(
        { idempotencyKey: 'k-1' },
        { meta: { [IDEMPOTENCY_KEY_META]: 'k-1' }, headers: { 'idempotency-key': '"k-1"' } },
      ),
    ]);
    const ids = new Set(answers.map(({ body }) => body.result.taskId));
    expect(ids.size).toBe(1);
    expect(front.store.entries.size).toBe(1);
  });

  it('is refused when two places differ or it is malformed', async () => {
    const refused = [
      await call({ idempotencyKey: 'k-1' }, { headers: { 'idempotency-key': 'k-2' } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 7 } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: '' } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'x'.repeat(256) } }),
      await call({}, { meta: { [IDEMPOTENCY_KEY_META]: 'a\u0000b' } }),
    ];
    expect(refused.map(({ body }) => body.error?.code)).toEqual(Array(5).fill(-32602));
    expect(front.store.entries.size).toBe(0);
  });

  it('with other arguments is a conflict that changes nothing', async () => {
    await call({ idempotencyKey: 'k-3' });
    const { body } = await call({ idempotencyKey: 'k-3', quantity: 2 });
    expect(body.error?.code).toBe(-31001);
    expect(front.store.entries.size).toBe(1);
  });

  it('is offered as an argument by tools with effects only', async () => {
    const { body } = await front.post({ method: 'tools/list' });
    const withKey = body.result.tools.filter((tool) => Object.hasOwn(tool.inputSchema.properties, 'idempotencyKey'));
    expect(withKey.map((tool) => tool.name)).toEqual(['order']);
  });
});

describe('an outage', () => {
  it('is -32603 in words of our own', async () => {
    verifies('error.standard', 'error.informative');
    front.store.nextError = new StoreUnavailable('14 UNAVAILABLE: 10.0.0.1:7233', { cause: new Error('grpc') });
    const { status, text, body } = await front.call('order', { vendor: 'V' });
    expect([status, body.error?.code]).toEqual([200, -32603]);
    expect(body.error?.message).toContain('Try again');
    expect(text).not.toMatch(/UNAVAILABLE|10\.0\.0\.1|grpc/);
  });
});
