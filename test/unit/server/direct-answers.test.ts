/**
 * What is answered without the SDK is answered as the SDK would: each request here goes both ways, and what comes back is
 * compared byte by byte. What is not in order goes one way only.
 */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_META, TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { IdempotencyConflict, StoreUnavailable, TooManyAnswers } from '../../../server/task-store.ts';
import { createBothWays, readAsSent, type BothWays, type SentRequest, type Written } from '../../support/both-ways.ts';
import type { McpRequest } from '../../support/mcp-request.ts';
import { CALLER } from '../../support/test-front.ts';

const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Why?' } } as const;
const TASKS_ONLY = { extensions: { [TASKS_EXTENSION]: {} } };

let ways: BothWays;
let taskId: string;
beforeEach(async () => {
  ways = await createBothWays();
  ({ taskId } = ways);
});

const sent = (request: McpRequest, change?: object): SentRequest => readAsSent(request, change)!;

/** A new task has an id and times of its own. */
function withoutChance([status, headers, text]: Written): unknown[] {
  return [
    status,
    headers,
    text.replace(/(?<="taskId":"|Task )[\w-]{22}/g, '').replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '""'),
  ];
}

async function expectSame(request: SentRequest, prepare: () => void = () => undefined): Promise<void> {
  prepare();
  const own = await ways.directly(request);
  prepare();
  const sdk = await ways.bySdk(request);
  expect(own && withoutChance(own)).toEqual(withoutChance(sdk));
}

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const touch = (method: string, id: unknown = taskId, more: Partial<McpRequest> = {}): McpRequest => ({
  method,
  params: { taskId: id, ...(method === 'tasks/update' ? { inputResponses: {} } : {}) },
  ...more,
});
const call = (name: string, args: unknown = {}, more: Partial<McpRequest> = {}): McpRequest => ({
  method: 'tools/call',
  params: { name, arguments: args },
  ...more,
});

describe.each(METHODS)('%s without the SDK', (method) => {
  it('is answered in the same bytes, whatever the id of request and task', async () => {
    for (const id of [1, 0, -7, '', 'a"b', 'ü\u2028'] as const) await expectSame(sent(touch(method, taskId, { id })));
    for (const task of ['A'.repeat(22), '', '../../x', 'ä', ' x ', '=?base64?', '=?base64?QQ==?=']) {
      await expectSame(sent(touch(method, task)));
    }
    for (const task of [7, null, {}, ['T'], undefined]) await expectSame(sent(touch(method, task)));
  });

  it('is refused in the same bytes', async () => {
    await expectSame(sent(touch(method, taskId, { capabilities: {} })));
    for (const error of [StoreUnavailable, TooManyAnswers, IdempotencyConflict]) {
      await expectSame(sent(touch(method)), () => (ways.store.nextError = new error()));
    }
    await expectSame(sent(touch(method)), () => (ways.store.nextError = new Error('postgres://u:p@db/x')));
    ways.store.ask(taskId, { q: FORM });
    await expectSame(sent(touch(method, taskId, { capabilities: TASKS_ONLY })));
  });

  it('reads envelopes that carry more, and as many as come', async () => {
    const more = [
      { progressToken: 7 },
      { traceparent: 'x' },
      { [IDEMPOTENCY_KEY_META]: 7 },
      { 'io.modelcontextprotocol/logLevel': 'info' },
      { 'io.modelcontextprotocol/clientInfo': { name: 'n'.repeat(5_000), version: '1' } },
    ];
    for (const meta of more) await expectSame(sent(touch(method, taskId, { meta })));
    for (let index = 0; index < 3; index += 1) await expectSame(sent(touch(method)));
  });
});

describe('tasks/get without the SDK', () => {
  it('shows each state in the same bytes', async () => {
    const get = sent(touch('tasks/get'));
    ways.store.report(taskId, 'Zeile "1"\n2 \u{1F600} \ud800');
    await expectSame(get);
    ways.store.ask(taskId, { q: FORM });
    await expectSame(get);
    ways.store.finish(taskId, {
      status: 'completed',
      result: { content: [], isError: true, structuredContent: { a: [1] } },
    });
    await expectSame(get);
  });

  it.each([
    { status: 'cancelled' },
    { status: 'failed', error: { code: -32002, message: 'x', data: { a: 1 } } },
  ] as const)('shows the end %j in the same bytes', async (outcome) => {
    ways.store.finish(taskId, outcome);
    await expectSame(sent(touch('tasks/get')));
  });
});

describe('tasks/update without the SDK', () => {
  it('delivers what it is given, and refuses it in the same bytes', async () => {
    const update = (inputResponses: unknown): SentRequest =>
      sent({ method: 'tasks/update', params: { taskId, inputResponses } });
    for (const responses of [undefined, {}, { constructor: { action: 'accept' } }]) await expectSame(update(responses));
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${String(index)}`, {}]));
    await expectSame(update(many));
    await ways.directly(update({ q: { action: 'accept', content: { a: 1 } } }));
    expect(ways.store.entries.get(taskId)?.delivered.at(-1)).toEqual({ q: { action: 'accept', content: { a: 1 } } });
  });

  it.each([{ q: 'accept' }, { q: null }, { q: [] }, { q: { method: 'm', result: {} } }, { q: { result: 1 } }])(
    'leaves %j to the SDK, which takes out what is no response',
    async (inputResponses) => {
      expect(await ways.directly(sent({ method: 'tasks/update', params: { taskId, inputResponses } }))).toBeUndefined();
    },
  );
});

describe('tools/call without the SDK', () => {
  it('gives out a task in the same bytes', async () => {
    await expectSame(sent(call('required_job')));
    await expectSame(sent({ method: 'tools/call', params: { name: 'required_job' } }));
    await expectSame(sent(call('order', { vendor: 'V' }, { meta: { [IDEMPOTENCY_KEY_META]: 'k1' } })));
    await expectSame(sent(call('order', { vendor: 'V' }, { headers: { 'idempotency-key': '"k1"' } })));
    ways.store.onCreated = (id) => ways.store.ask(id, { q: FORM });
    await expectSame(sent(call('order', { vendor: 'V' })));
  });

  it('gives results and errors in the same bytes', async () => {
    const asked: [McpRequest, (() => void)?][] = [
      [call('order', { vendor: 7 })],
      [call('order', { vendor: 'V' }, { meta: { [IDEMPOTENCY_KEY_META]: '' } })],
      [call('order', { vendor: 'V' }, { meta: { [IDEMPOTENCY_KEY_META]: 'a' }, headers: { 'idempotency-key': 'b' } })],
      [call('asking_job', {}, { capabilities: TASKS_ONLY })],
      [call('required_job'), () => (ways.store.nextError = new StoreUnavailable())],
      [call('required_job'), () => (ways.store.nextError = new IdempotencyConflict())],
    ];
    for (const [request, prepare] of asked) await expectSame(sent(request), prepare);
    const ends = [
      { status: 'completed', result: { content: [{ type: 'text', text: 'ü' }], structuredContent: { b: 1, a: 2 } } },
      { status: 'completed', result: { content: [{ type: 'bad' }] } },
      { status: 'failed', error: { code: -32002, message: 'm', data: [1] } },
      { status: 'failed', error: { code: -32042, message: 'm' } },
      { status: 'cancelled' },
    ];
    for (const end of ends) {
      ways.store.onCreated = (id) => ways.store.finish(id, end as Parameters<typeof ways.store.finish>[1]);
      await expectSame(sent(call('order', { vendor: 'V' })));
    }
  });

  it('is made and counted once', async () => {
    ways.store.onCreated = (id) => ways.store.finishWithText(id, 'done');
    const before = ways.store.entries.size;
    await ways.directly(sent(call('order', { vendor: 'V' })));
    expect(ways.store.entries.size).toBe(before + 1);
    const { text } = await ways.metrics.expose();
    expect(text).toContain('mcp_tool_calls_total{tool="order",answer="plain"} 1');
    expect(text).toContain('mcp_tool_calls_open 0');
  });

  it.each([
    ['a tool that makes no task', call('greet', { name: 'x' })],
    ['an unknown tool', call('nothing')],
    ['a caller that takes no task', call('order', { vendor: 'V' }, { capabilities: { elicitation: {} } })],
    ['progress', call('required_job', {}, { meta: { progressToken: 1 } })],
    ['arguments that are no object', call('required_job', [])],
    ['a state', { method: 'tools/call', params: { name: 'required_job', requestState: 's' } }],
    ['answers', { method: 'tools/call', params: { name: 'required_job', inputResponses: {} } }],
    ['a task of an older revision', { method: 'tools/call', params: { name: 'required_job', task: {} } }],
  ])('leaves %s to the SDK', async (_, request) => {
    expect(await ways.directly(sent(request))).toBeUndefined();
    expect(ways.store.entries.size).toBe(1);
  });
});

describe('what is not in order', () => {
  const others: readonly [string, Partial<McpRequest>][] = [
    ['no version header', { headers: { 'mcp-protocol-version': undefined } }],
    ['another version header', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['no method header', { headers: { 'mcp-method': undefined } }],
    ['another method header', { headers: { 'mcp-method': 'Tasks/Get' } }],
    ['no name header', { headers: { 'mcp-name': undefined } }],
    ['another name header', { headers: { 'mcp-name': 'A'.repeat(22) } }],
    ['a name header in bad base64', { headers: { 'mcp-name': '=?base64?!!!?=' } }],
    ['a name header that is half a marker', { headers: { 'mcp-name': '=?base64?=' } }],
    ['another version', { meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } }],
    ['no version', { meta: { 'io.modelcontextprotocol/protocolVersion': undefined } }],
    ['a bad client', { meta: { 'io.modelcontextprotocol/clientInfo': { name: 7 } } }],
    ['bad capabilities', { capabilities: [] }],
    ['a bad capability', { capabilities: { elicitation: 7 } }],
    ['a bad progress token', { meta: { progressToken: {} } }],
    ['a bad log level', { meta: { 'io.modelcontextprotocol/logLevel': 'loud' } }],
  ];

  it.each(others)('is left to the SDK, which refuses it: %s', async (_, more) => {
    for (const method of METHODS) {
      const request = sent(touch(method, taskId, more));
      expect(await ways.directly(request)).toBeUndefined();
      expect((await ways.bySdk(request))[0]).toBe(400);
    }
    const request = sent(call('required_job', {}, more));
    expect(await ways.directly(request)).toBeUndefined();
    expect((await ways.bySdk(request))[0]).toBe(400);
    expect(ways.store.entries.size).toBe(1);
  });

  it('is left to the SDK when a name is half a marker, which may be read in two ways', async () => {
    const half = '=?base64?=';
    const request = sent(touch('tasks/get', half, { headers: { 'mcp-name': half } }));
    expect(await ways.directly(request)).toBeUndefined();
    expect((await ways.bySdk(request))[0]).toBe(400);
  });

  it('is left to the SDK when the message has a member too many', async () => {
    const request = sent(touch('tasks/get'), { extra: 1 });
    expect(await ways.directly(request)).toBeUndefined();
    expect((await ways.bySdk(request))[0]).toBe(400);
  });
});

describe('Mcp-Name in base64', () => {
  it('is read as the SDK reads it', async () => {
    for (const task of [taskId, 'ä', '=?base64?QQ==?=']) {
      const encoded = `=?base64?${Buffer.from(task).toString('base64')}?=`;
      await expectSame(sent(touch('tasks/get', task, { headers: { 'mcp-name': encoded } })));
    }
  });
});

describe('a server that stops', () => {
  const stopped = (answer: Written | undefined): unknown[] => [answer?.[0], answer?.[1]['retry-after']];

  it('tells whoever waits, and whoever comes later, in the bytes of the SDK path', async () => {
    const waiting = ways.directly(sent(call('order', { vendor: 'V' })));
    ways.closeDirect();
    expect(stopped(await waiting)).toEqual([503, '1']);
    const later = await ways.directly(sent(touch('tasks/get')));
    await ways.close();
    expect(later).toEqual(await ways.bySdk(sent(touch('tasks/get'))));
  });

  it('ends the task of a call that nobody can name', async () => {
    const waiting = ways.directly(sent(call('order', { vendor: 'V' })));
    const [id = ''] = [...ways.store.entries.keys()].slice(-1);
    ways.closeDirect();
    await waiting;
    expect(id).not.toBe(taskId);
    await expect(ways.store.settle(CALLER, id, 1_000)).resolves.toMatchObject({ status: 'cancelled' });
  });
});
