/** Over MCP the audit is told of each result that goes out, by whichever door, and of nothing else. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OutsideAct } from '../../../protocol/act.ts';
import { createFront, type Front } from '../../../server/front.ts';
import { eventually } from '../../support/eventually.ts';
import type { InMemoryTaskStore } from '../../support/in-memory-task-store.ts';
import { listen } from '../../support/listen-client.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import { CALLER, createTestServing } from '../../support/test-front.ts';

let front: Front;
let url: string;
let store: InMemoryTaskStore;
let acts: OutsideAct[] = [];
/** Until it is called, no act is written. */
let write: () => void = () => undefined;
let written = Promise.resolve();

beforeAll(async () => {
  const serving = createTestServing({ fallbackBudgetMs: 2_000 });
  ({ store } = serving);
  const append = async (act: OutsideAct): Promise<void> => {
    acts.push(act);
    await written;
  };
  front = createFront({ ...serving.parts, audit: { append } });
  url = await front.listen();
});
afterAll(async () => front.drain());
beforeEach(() => {
  acts = [];
  store.onCreated = () => undefined;
});

const NO_TASKS = { capabilities: {} };
const ORDER = { vendor: 'Nordlicht' };

const call = (name: string, args: object, more: object = {}): Promise<McpAnswer> =>
  post(url, { method: 'tools/call', params: { name, arguments: args }, ...more });
const get = (taskId: string): Promise<McpAnswer> => post(url, { method: 'tasks/get', params: { taskId } });

/** As a client of MCP 2025-11-25 sends it. */
async function older(method: string, params: object): Promise<McpAnswer> {
  return post(url, {
    method,
    rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined },
  });
}

async function aTask(): Promise<string> {
  return (await call('required_job', {})).body.result.taskId;
}
async function aCompleted(): Promise<string> {
  const taskId = await aTask();
  store.finishWithText(taskId, 'done');
  return taskId;
}

function readOf(taskId: string): OutsideAct {
  const { principal } = CALLER;
  const about = JSON.stringify([principal, 'mcp']);
  const by = CALLER.displayName ?? principal;
  return { taskId, type: 'result_read', about, by, at: expect.any(Number) as never, data: { principal, in: 'mcp' } };
}

describe('a result that goes out over MCP', () => {
  it.each<[string, (taskId: string) => Promise<unknown>]>([
    ['tasks/get', get],
    ['tasks/result of an older client', (taskId) => older('tasks/result', { taskId })],
    ['task_result', (id) => call('task_result', { id }, NO_TASKS)],
    ['task_wait', (id) => call('task_wait', { id, seconds: 0 }, NO_TASKS)],
    ['task_cancel, which comes too late', (id) => call('task_cancel', { id }, NO_TASKS)],
    ['a notification of subscriptions/listen', async (id) => (await listen(url, [id])).ended],
  ])('is told once: by %s', async (_door, read) => {
    const taskId = await aCompleted();
    for (let time = 0; time < 2; time += 1) await read(taskId);
    expect(acts).toEqual([readOf(taskId)]);
  });

  it.each([
    ['with the extension, within the budget', {}],
    ['held', NO_TASKS],
  ])('is told of a call that is answered with it: %s', async (_how, more) => {
    let taskId = '';
    store.onCreated = (created) => {
      taskId = created;
      store.finishWithText(created, 'soon');
    };
    expect((await call('order', ORDER, more)).body.result.content[0].text).toBe('soon');
    expect(acts).toEqual([readOf(taskId)]);
  });

  it('is told of a stream once the task has ended, not before', async () => {
    const taskId = await aTask();
    const stream = await listen(url, [taskId]);
    await eventually(() => stream.told(taskId).length === 1);
    expect(acts).toEqual([]);
    store.finishWithText(taskId, 'done');
    await stream.ended;
    expect(acts).toEqual([readOf(taskId)]);
  });

  it('waits for no audit that is slow', async () => {
    written = new Promise((resolve) => (write = resolve));
    try {
      const taskId = await aCompleted();
      expect((await get(taskId)).body.result.result.content[0].text).toBe('done');
      expect(acts).toHaveLength(1);
    } finally {
      write();
    }
  });

  it('is not told of what brings none', async () => {
    const [working, failed, cancelled] = [await aTask(), await aTask(), await aTask()];
    store.finish(failed, { status: 'failed', error: { code: -32603, message: 'no' } });
    store.finish(cancelled, { status: 'cancelled' });
    for (const taskId of [working, failed, cancelled]) await get(taskId);
    await call('task_result', { id: cancelled }, NO_TASKS);
    // The older revision answers it without the result.
    const completed = await aCompleted();
    await older('tasks/get', { taskId: completed });
    await older('tasks/list', {});
    await call('my_tasks', {}, NO_TASKS);
    expect(acts).toEqual([]);
  });
});
