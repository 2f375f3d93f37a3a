import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { elicitation, flag } from '../../../protocol/form.ts';
import { TASK_NOT_FOUND_TEXT } from '../../../server/errors.ts';
import { fallbackToolNames } from '../../../server/fallback-tools.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { catalog } from '../../../workflows/tools/index.ts';
import { askingCatalog } from '../../support/asking-catalog.ts';
import { eventually } from '../../support/eventually.ts';
import type { McpAnswer, RpcResult } from '../../support/mcp-request.ts';
import { CALLER, startTestFront, type TestFront } from '../../support/test-front.ts';
import { testCaller } from '../../support/test-caller.ts';

let front: TestFront;
let taskId: string;
const NAMES = ['task_wait', 'task_result', 'task_answer', 'task_cancel', 'my_tasks'];
const WITH_TASKS = { extensions: { [TASKS_EXTENSION]: {} } };
const QUESTION = { 'q-1': elicitation('Really?', { sure: flag() }) };
const YES = { action: 'accept', content: { sure: true } };

beforeAll(async () => {
  front = await startTestFront({ fallbackBudgetMs: 50 }, askingCatalog);
});
afterAll(async () => front.front.drain());
beforeEach(async () => {
  front.store.entries.clear();
  taskId = await created(CALLER.principal);
});

async function created(principal: string): Promise<string> {
  const { task } = await front.store.create(testCaller(principal), newTask);
  return task.taskId;
}
const newTask = {
  tool: 'work',
  args: {},
  features: { elicitationForm: false },
  ttlMs: 60_000,
  maxTtlMs: 60_000,
  pollIntervalMs: 1_500,
};
const call = (name: string, args: object = {}, capabilities: unknown = {}): Promise<McpAnswer> =>
  front.call(name, args, { capabilities });
const resultOf = async (name: string, args: object = {}): Promise<RpcResult> => (await call(name, args)).body.result;
const textOf = (result: RpcResult): string => result.content[0].text;

describe('the fallback tools', () => {
  const listed = async (capabilities: unknown): Promise<readonly string[]> => {
    const { body } = await front.post({ method: 'tools/list', capabilities });
    expect(body.result.cacheScope).toBe('private');
    return body.result.tools.map(({ name }) => name);
  };

  it('are listed to clients that do not declare the extension, after the tools of the catalog, and to no others', async () => {
    const own = [...askingCatalog.keys()];
    expect(await listed({})).toEqual([...own, ...NAMES]);
    expect(await listed({ extensions: {} })).toEqual([...own, ...NAMES]);
    expect(await listed(WITH_TASKS)).toEqual(own);
  });

  it.each(NAMES)('%s is unknown to a client that declares the extension', async (name) => {
    const { status, body } = await call(name, { id: taskId, answers: {} }, WITH_TASKS);
    expect([status, body.error?.code]).toEqual([200, -32602]);
  });

  it('have names that no tool of the product has', () => {
    expect(fallbackToolNames).toEqual(NAMES);
    expect([...catalog.keys()].filter((name) => fallbackToolNames.includes(name))).toEqual([]);
  });

  it('serve an older revision', async () => {
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'task_wait', arguments: { id: taskId, seconds: 0 } },
      }),
    });
    expect(await response.text()).toContain(`Task ${taskId} goes on`);
  });

  it.each(['task_wait', 'task_result', 'task_answer', 'task_cancel'])(
    '%s answers unknown, foreign and malformed ids alike, as a tool error',
    async (name) => {
      const foreign = await created('somebody else');
      for (const id of ['A'.repeat(22), foreign, '', '__proto__', '../x', `${taskId} `, 'x'.repeat(5_000)]) {
        const result = await resultOf(name, { id, ...(name === 'task_answer' ? { answers: { 'q-1': YES } } : {}) });
        expect([result.isError, textOf(result)]).toEqual([true, TASK_NOT_FOUND_TEXT]);
      }
      const entry = front.store.entries.get(foreign);
      expect([entry?.cancelReason, entry?.delivered]).toEqual([undefined, []]);
    },
  );

  it.each([
    ['task_wait', {}, 'id is missing; it must be a string'],
    ['task_wait', { id: 7 }, 'id must be a string'],
    ['task_wait', { id: 'x', seconds: 46 }, 'seconds'],
    ['task_wait', { id: 'x', seconds: -1 }, 'seconds'],
    ['task_wait', { id: 'x', seconds: 'x' }, 'seconds must be a number'],
    ['task_wait', { id: 'x', seconds: 1.5 }, 'seconds must be a whole number'],
    ['task_answer', { id: 'x' }, 'answers is missing'],
    ['task_answer', { id: 'x', answers: [] }, 'answers must be an object'],
    ['task_cancel', { id: 'x', extra: 1 }, 'extra is not a known argument'],
    ['my_tasks', { cursor: 7 }, 'cursor must be a string'],
    ['my_tasks', { tool: 'unheard_of' }, 'tool must be one of'],
    ['my_tasks', { tool: 'x" OR "1"="1' }, 'tool must be one of'],
    ['my_tasks', { status: 'done' }, 'status must be one of "working"'],
    ['my_tasks', { createdAfter: 'yesterday' }, 'createdAfter: must be a time with its zone'],
    ['my_tasks', { createdBefore: '2026-11-29T10:00:00' }, 'createdBefore: must be a time with its zone'],
    ['my_tasks', { limit: 0 }, 'limit'],
    ['my_tasks', { limit: 101 }, 'limit'],
  ])('%s refuses %j in words', async (name, args, words) => {
    const result = await resultOf(name, args);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(words)]);
  });

  it('say of an outage what every method says', async () => {
    front.store.nextError = new StoreUnavailable('14 UNAVAILABLE 10.0.0.1:7233');
    const { text, body } = await call('task_wait', { id: taskId, seconds: 0 });
    expect(body.error?.code).toBe(-32603);
    expect(text).not.toMatch(/UNAVAILABLE|10\.0\.0\.1/);
  });
});

describe('task_wait', () => {
  it('only looks with 0 seconds', async () => {
    front.store.report(taskId, '3 of 10');
    const result = await resultOf('task_wait', { id: taskId, seconds: 0 });
    expect(textOf(result)).toBe(`Task ${taskId} goes on (3 of 10). Call task_wait with this id to wait for it.`);
    expect(result.structuredContent).toEqual({
      task: { id: taskId, status: 'working', statusMessage: '3 of 10', nextPollSeconds: 2 },
    });
  });

  it('waits for the end, and brings the result along', async () => {
    const waiting = resultOf('task_wait', { id: taskId, seconds: 45 });
    front.store.finishWithText(taskId, 'worked');
    const result = await waiting;
    expect(result.content.map(({ text }) => text)).toEqual([
      expect.stringContaining('is completed'),
      expect.any(String),
      'worked',
    ]);
    expect(result.structuredContent).toMatchObject({ task: { id: taskId, status: 'completed' } });
  });

  it('waits for a question, and shows it in words and as a form', async () => {
    const waiting = resultOf('task_wait', { id: taskId });
    front.store.ask(taskId, QUESTION);
    const result = await waiting;
    expect(textOf(result)).toContain('task_answer');
    expect(textOf(result)).toContain('q-1: Really?');
    expect(result.structuredContent).toMatchObject({
      // A person is asked.
      task: { status: 'input_required', nextPollSeconds: 5 },
      questions: [{ key: 'q-1', message: 'Really?', ...QUESTION['q-1'] }],
    });
  });

  it('ends at once when the server drains', async () => {
    const stopping = await startTestFront({}, askingCatalog);
    const { task } = await stopping.store.create(CALLER, newTask);
    const held = stopping.call('task_wait', { id: task.taskId, seconds: 45 }, { capabilities: {} });
    await eventually(async () => (await (await fetch(`${stopping.origin}/metrics`)).text()).includes('calls_open 1'));
    await stopping.front.drain();
    expect((await held).body.result.structuredContent.task).toMatchObject({ status: 'working' });
  });

  it('whose connection closes leaves the task alone', async () => {
    const control = new AbortController();
    const waiting = front.call('task_wait', { id: taskId }, { capabilities: {}, signal: control.signal });
    await eventually(async () => (await (await fetch(`${front.origin}/metrics`)).text()).includes('calls_open 1'));
    control.abort();
    await expect(waiting).rejects.toThrow('abort');
    await eventually(async () => (await (await fetch(`${front.origin}/metrics`)).text()).includes('calls_open 0'));
    expect(front.store.entries.get(taskId)?.cancelReason).toBeUndefined();
  });
});

describe('task_result', () => {
  it('gives exactly what the call would have answered', async () => {
    const result = { content: [{ type: 'text', text: 'no' }], structuredContent: { a: 1 }, isError: true } as const;
    front.store.finish(taskId, { status: 'completed', result });
    const { _meta, ...answer } = await resultOf('task_result', { id: taskId });
    expect(answer).toEqual({ resultType: 'complete', ...result });
  });

  it('says why there is none', async () => {
    expect(textOf(await resultOf('task_result', { id: taskId }))).toContain('has no result yet');
    front.store.finish(taskId, { status: 'failed', error: { code: -32603, message: 'It broke.' } });
    const failed = await resultOf('task_result', { id: taskId });
    expect([failed.isError, textOf(failed)]).toEqual([true, `Task ${taskId} has failed: It broke.`]);
    const cancelled = await created(CALLER.principal);
    front.store.finish(cancelled, { status: 'cancelled' });
    expect(textOf(await resultOf('task_result', { id: cancelled }))).toBe(`Task ${cancelled} was cancelled.`);
  });
});

describe('task_answer', () => {
  it('delivers the answers to open questions only, and says how the task stands', async () => {
    front.store.ask(taskId, QUESTION);
    const result = await resultOf('task_answer', { id: taskId, answers: { 'q-1': YES, 'q-2': YES } });
    expect(textOf(result)).toMatch(/^1 of the answers had no open question\. Task .* goes on/);
    expect(front.store.entries.get(taskId)?.delivered).toEqual([{ 'q-1': YES }]);
  });

  it.each<object>([{}, { 'q-2': YES }, { constructor: YES, toString: YES }])(
    'delivers nothing of %j',
    async (answers) => {
      front.store.ask(taskId, QUESTION);
      const result = await resultOf('task_answer', { id: taskId, answers });
      expect([result.isError, textOf(result)]).toEqual([
        true,
        expect.stringContaining('no question has one of these keys'),
      ]);
      expect(front.store.entries.get(taskId)?.delivered).toEqual([]);
    },
  );

  it('has nothing to answer in a task that asks nothing', async () => {
    const result = await resultOf('task_answer', { id: taskId, answers: { 'q-1': YES } });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('it asks nothing')]);
  });
});

describe('task_cancel', () => {
  it('cancels, and leaves alone what has ended', async () => {
    expect(textOf(await resultOf('task_cancel', { id: taskId }))).toBe(`Task ${taskId} was cancelled.`);
    const done = await created(CALLER.principal);
    front.store.finishWithText(done, 'worked');
    expect(textOf(await resultOf('task_cancel', { id: done }))).toContain('is completed');
  });
});

describe('my_tasks', () => {
  const idsOf = ({ structuredContent }: RpcResult): unknown[] =>
    (structuredContent['tasks'] as { id: unknown }[]).map(({ id }) => id);

  it("lists the caller's own tasks, the newest first, in pages", async () => {
    await created('somebody else');
    const ids = [taskId];
    for (let count = 0; count < 24; count += 1) ids.unshift(await created(CALLER.principal));
    const first = await resultOf('my_tasks');
    const second = await resultOf('my_tasks', { cursor: first.structuredContent['nextCursor'] });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
    expect(second.structuredContent).not.toHaveProperty('nextCursor');
    expect(textOf(first)).toContain('as of a few seconds ago');
    expect((first.structuredContent['tasks'] as unknown[])[0]).toMatchObject({ tool: 'work', status: 'working' });
  });

  it('lists only what its filters ask for, as many at a time as it is told', async () => {
    const ids = [taskId];
    for (let count = 0; count < 4; count += 1) ids.unshift(await created(CALLER.principal));
    front.store.finishWithText(taskId, 'worked');
    const [newest = ''] = ids;
    const { createdAt } = await front.store.get(CALLER, newest);
    const later = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(idsOf(await resultOf('my_tasks', { status: 'completed' }))).toEqual([taskId]);
    expect(idsOf(await resultOf('my_tasks', { tool: 'book', createdBefore: later }))).toEqual([]);
    expect(idsOf(await resultOf('my_tasks', { tool: 'work', createdBefore: later }))).toEqual(ids);
    expect(idsOf(await resultOf('my_tasks', { createdAfter: createdAt }))).toContain(newest);
    expect(idsOf(await resultOf('my_tasks', { createdAfter: later }))).toEqual([]);
    const first = await resultOf('my_tasks', { status: 'working', limit: 3 });
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    const next = { status: 'working', limit: 100, cursor: first.structuredContent['nextCursor'] };
    expect(idsOf(await resultOf('my_tasks', next))).toEqual(ids.slice(3, 4));
  });

  it.each([{}, { status: 'completed' }, { status: 'working', tool: 'work' }])(
    'refuses a cursor that was given for other filters: %j',
    async (filters) => {
      await created(CALLER.principal);
      const first = await resultOf('my_tasks', { status: 'working', limit: 1 });
      const { nextCursor: cursor } = first.structuredContent;
      expect(cursor).toEqual(expect.any(String));
      const result = await resultOf('my_tasks', { ...filters, cursor });
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('was given for other filters')]);
    },
  );

  it.each(['', 'x', '20', 'A'.repeat(60)])('refuses the cursor %j', async (cursor) => {
    const result = await resultOf('my_tasks', { cursor });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('without a cursor')]);
  });
});
