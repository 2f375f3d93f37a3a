import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { TASK_NOT_FOUND_TEXT } from '../../../server/errors.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { bodyOf, type RpcResult } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
let taskId: string;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(async () => {
  const { body } = await front.call('required_job');
  taskId = body.result.taskId;
});

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Why?' } } as const;
const TASKS_ONLY = { extensions: { [TASKS_EXTENSION]: {} } };

async function update(inputResponses: unknown): Promise<unknown> {
  const { body } = await front.post({ method: 'tasks/update', params: { taskId, inputResponses } });
  return body.error?.code ?? withoutMeta(body.result);
}
const delivered = (): unknown => front.store.entries.get(taskId)?.delivered.at(-1);
const ACK = { resultType: 'complete' };

function withoutMeta({ _meta, ...result }: RpcResult): object {
  return result;
}

describe.each(METHODS)('%s', (method) => {
  it('asks for the extension before it looks at anything else', async () => {
    verifies('get.undeclared', 'update.undeclared', 'cancel.undeclared', 'cap.per-request');
    for (const params of [{ taskId: 'unknown' }, {}, { taskId: 7, inputResponses: null }]) {
      const { status, body } = await front.post({ method, params, capabilities: { elicitation: {} } });
      expect([status, body.error?.code, body.error?.data?.requiredCapabilities]).toEqual([400, -32021, TASKS_ONLY]);
    }
  });

  it.each([
    'AAAAAAAAAAAAAAAAAAAAAA',
    '',
    'x'.repeat(5_000),
    '../../x',
    'a\r\nX-Y: z',
    'a\u0000',
    '__proto__',
    7,
    {},
    ['T'],
    undefined,
    null,
  ])('answers the id %j as it answers an unknown one', async (id) => {
    verifies('get.unknown', 'update.unknown', 'cancel.unknown');
    const { status, body, headers, text } = await front.post({ method, params: { taskId: id, inputResponses: {} } });
    expect([status, body.error]).toEqual([200, { code: -32602, message: TASK_NOT_FOUND_TEXT }]);
    expect(headers.get('x-y')).toBeNull();
    expect(text).not.toMatch(/[\u0000-\u001f]/);
  });

  it('answers an id of somebody else, one that nobody has and one that is none with the same bytes', async () => {
    verifies('sec.authorize');
    front.store.entries.set(taskId, { ...front.store.entries.get(taskId)!, owner: 'somebody else' });
    const answers = [];
    for (const id of [taskId, 'A'.repeat(22), '../../x', 7]) {
      const { status, headers, text } = await front.post({ method, params: { taskId: id, inputResponses: {} } });
      answers.push([status, text, [...headers].filter(([name]) => name !== 'date')]);
    }
    expect(answers.slice(1)).toEqual([answers[0], answers[0], answers[0]]);
  });

  it.each(['AAAAAAAAAAAAAAAAAAAAAA', '../../x', 7, undefined])('asks the store, also for %j', async (id) => {
    front.store.nextError = new StoreUnavailable();
    const { body } = await front.post({ method, params: { taskId: id, inputResponses: {} } });
    expect(body.error?.code).toBe(-32603);
  });

  it('matches ids exactly', async () => {
    const swapped = taskId.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const id of [`${taskId} `, `${taskId}/run-id`, swapped]) {
      const { body } = await front.post({ method, params: { taskId: id, inputResponses: {} } });
      expect(body.error?.code).toBe(-32602);
    }
    expect(front.store.entries.get(taskId)?.delivered).toEqual([]);
  });

  it('does not know the task of somebody else', async () => {
    verifies('sec.authorize');
    const entry = front.store.entries.get(taskId)!;
    front.store.entries.set(taskId, { ...entry, owner: 'somebody else' });
    const { status, body } = await front.post({ method, params: { taskId, inputResponses: {} } });
    expect([status, body.error]).toEqual([200, { code: -32602, message: TASK_NOT_FOUND_TEXT }]);
    expect(front.store.entries.get(taskId)?.cancelReason).toBeUndefined();
  });
});

describe('tasks/get', () => {
  const get = async (capabilities?: unknown): Promise<Awaited<ReturnType<TestFront['post']>>> =>
    front.post({ method: 'tasks/get', params: { taskId }, capabilities });

  it('answers complete with exactly the fields of each status', async () => {
    verifies('get.working', 'get.input-required', 'get.completed', 'get.result-type');
    const base = ['_meta', 'createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'resultType', 'status', 'taskId', 'ttlMs'];
    const fields = async (): Promise<string[]> => Object.keys((await get()).body.result).toSorted();
    const said = async (): Promise<string[]> => {
      const { resultType, status } = (await get()).body.result;
      return [resultType, status];
    };
    expect([await fields(), await said()]).toEqual([base, ['complete', 'working']]);
    front.store.ask(taskId, { q: FORM });
    expect(await fields()).toEqual([...base, 'inputRequests', 'statusMessage'].toSorted());
    expect(await said()).toEqual(['complete', 'input_required']);
    front.store.finishWithText(taskId, 'done');
    expect(await fields()).toEqual([...base, 'result', 'statusMessage'].toSorted());
    expect(await said()).toEqual(['complete', 'completed']);
    expect((await get()).body.result.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  it('answers a cancelled task without result and error', async () => {
    verifies('get.cancelled', 'get.result-type');
    front.store.finish(taskId, { status: 'cancelled' });
    const { result } = (await get()).body;
    expect(result).toMatchObject({ resultType: 'complete', status: 'cancelled' });
    expect(Object.keys(result).filter((name) => ['result', 'error', 'inputRequests'].includes(name))).toEqual([]);
  });

  it('carries the error of a failed task', async () => {
    verifies('get.failed');
    front.store.finish(taskId, { status: 'failed', error: { code: -32603, message: 'broken' } });
    const { status, body } = await get();
    expect([status, body.result.status, body.result.error]).toEqual([
      200,
      'failed',
      { code: -32603, message: 'broken' },
    ]);
    expect(body.result).not.toHaveProperty('result');
  });

  it('shows an open form only to who can fill one in; cancel works for all', async () => {
    verifies('mrtr.kinds');
    front.store.ask(taskId, { q: FORM });
    const refused = await get(TASKS_ONLY);
    expect([refused.status, refused.body.error?.code, refused.body.error?.data?.requiredCapabilities]).toEqual([
      400,
      -32021,
      { elicitation: { form: {} } },
    ]);
    expect((await get()).body.result.inputRequests).toEqual({ q: FORM });
    const cancelled = await front.post({ method: 'tasks/cancel', params: { taskId }, capabilities: TASKS_ONLY });
    expect(cancelled.status).toBe(200);
    expect((await get(TASKS_ONLY)).body.result.status).toBe('cancelled');
  });
});

describe('tasks/update', () => {
  it.each([undefined, null, [], 'accept', 7])('refuses %j as inputResponses', async (responses) => {
    expect(await update(responses)).toBe(-32602);
    expect(delivered()).toBeUndefined();
  });

  it('acknowledges an empty object, unknown keys, and anything for a finished task', async () => {
    verifies('update.ack', 'update.result-type', 'update.ignore');
    front.store.ask(taskId, { q: FORM });
    expect(await update({})).toEqual(ACK);
    expect(await update({ constructor: { action: 'accept' }, toString: { action: 'accept' } })).toEqual(ACK);
    expect((await front.post({ method: 'tasks/get', params: { taskId } })).body.result.inputRequests).toEqual({
      q: FORM,
    });
    front.store.finishWithText(taskId, 'done');
    expect(await update({ q: { action: 'accept' } })).toEqual(ACK);
  });

  it('delivers what is no response object as null under its key', async () => {
    const wrapped = { method: 'elicitation/create', result: { action: 'accept' } };
    expect(await update({ a: { action: 'decline' }, b: 'accept', c: null, d: wrapped })).toEqual(ACK);
    expect(delivered()).toEqual({ a: { action: 'decline' }, b: null, c: null, d: null });
  });

  it('refuses more answers than any task has questions', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${String(index)}`, {}]));
    expect(await update(many)).toBe(-32602);
  });

  it('refuses a key named __proto__', async () => {
    const body = bodyOf({ method: 'tasks/update', params: { taskId, inputResponses: {} } });
    const rawBody = body.replace('"inputResponses":{}', '"inputResponses":{"__proto__":{"action":"accept"}}');
    const { status } = await front.post({ method: 'tasks/update', params: { taskId }, rawBody });
    expect(status).toBe(400);
  });
});

describe('tasks/cancel', () => {
  it('is acknowledged twice, and after the end', async () => {
    verifies('cancel.ack', 'cancel.result-type');
    for (let round = 0; round < 2; round += 1) {
      const { body } = await front.post({ method: 'tasks/cancel', params: { taskId } });
      expect(withoutMeta(body.result)).toEqual(ACK);
    }
    expect(front.store.entries.get(taskId)?.cancelReason).toContain('tasks/cancel');
  });
});
