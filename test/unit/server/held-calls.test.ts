import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { elicitation, flag } from '../../../protocol/form.ts';
import { rootsList } from '../../../protocol/roots.ts';
import { REQUEST_STATE_TEXT } from '../../../server/errors.ts';
import { askingCatalog } from '../../support/asking-catalog.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, headersOf, type McpAnswer, type McpRequest, type RpcAnswer } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';
import { patiently } from '../../support/patience.js';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront({ fallbackBudgetMs: 400, keepAliveMs: 50 }, askingCatalog);
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
  front.store.onCreated = () => undefined;
});

const FORMS = { elicitation: {} };
const QUESTION = { 'q-1': elicitation('Really?', { sure: flag() }) };
const YES = { action: 'accept', content: { sure: true } };
const WORK = { name: 'work', arguments: { what: 'x' } };
const onlyTask = (): string => {
  const [taskId, ...others] = [...front.store.entries.keys()];
  if (taskId === undefined || others.length > 0) throw new Error('there is not one task');
  return taskId;
};
const post = (params: object, more: Partial<McpRequest> = {}): Promise<McpAnswer> =>
  front.post({ method: 'tools/call', params: { ...params }, capabilities: FORMS, ...more });
const textOf = ({ body }: McpAnswer): string => body.result.content[0].text;
const untilIdle = (): Promise<unknown> =>
  eventually(async () => {
    const metrics = await (await fetch(`${front.origin}/metrics`)).text();
    return metrics.includes('mcp_tool_calls_open 0');
  });

async function untilAsked(): Promise<McpAnswer> {
  front.store.onCreated = (taskId) => front.store.ask(taskId, QUESTION);
  return post(WORK);
}

describe('the question of a task, put to a client without the extension that can elicit', () => {
  it('comes as input_required with a state, and nothing names the task', async () => {
    const { body, text } = await untilAsked();
    const { _meta, requestState, ...rest } = body.result;
    expect(rest).toEqual({ resultType: 'input_required', inputRequests: QUESTION });
    expect(text).not.toContain(onlyTask());
    expect(Buffer.from(String(requestState), 'base64url').toString('latin1')).not.toContain(onlyTask());
  });

  it('lets the retry answer into the same task and be held in turn, through another server as well', async () => {
    verifies('env.stateless');
    const { requestState } = (await untilAsked()).body.result;
    const taskId = onlyTask();
    const retry = post({ ...WORK, requestState, inputResponses: { 'q-1': YES, other: YES } });
    await eventually(() => front.store.entries.get(taskId)?.delivered.length === 1);
    front.store.ask(taskId, { 'q-2': elicitation('And now?', { sure: flag() }) });
    const second = (await retry).body.result;
    expect(Object.keys(second.inputRequests as object)).toEqual(['q-2']);
    const last = post({ ...WORK, requestState: second.requestState, inputResponses: { 'q-2': YES } });
    await eventually(() => front.store.entries.get(taskId)?.delivered.length === 2);
    front.store.finishWithText(taskId, 'worked');
    expect(textOf(await last)).toBe('worked');
    expect([onlyTask(), front.store.entries.get(taskId)?.delivered]).toEqual([
      taskId,
      [{ 'q-1': YES, other: YES }, { 'q-2': YES }],
    ]);
  });

  it('is put again when the answer is missing, and hands on as null what is no answer', async () => {
    const { requestState } = (await untilAsked()).body.result;
    for (const inputResponses of [undefined, null, [], {}, { other: YES }]) {
      const { body } = await post({
        ...WORK,
        requestState,
        ...(inputResponses === undefined ? {} : { inputResponses }),
      });
      expect(body.result.inputRequests).toEqual(QUESTION);
    }
    await post({ ...WORK, requestState, inputResponses: { 'q-1': 'yes' } });
    expect(front.store.entries.get(onlyTask())?.delivered).toEqual([{ other: YES }, { 'q-1': null }]);
  });

  it('answered twice with the same state counts once: the second hears how the task stands', async () => {
    const { requestState } = (await untilAsked()).body.result;
    const answer = { ...WORK, requestState, inputResponses: { 'q-1': YES } };
    const first = post(answer);
    await eventually(() => front.store.entries.get(onlyTask())?.delivered.length === 1);
    front.store.finishWithText(onlyTask(), 'worked');
    expect([textOf(await first), textOf(await post(answer))]).toEqual(['worked', 'worked']);
  });

  it.each([
    ['another call', { name: 'work', arguments: { what: 'y' } }],
    ['another tool', { name: 'work_typed', arguments: {} }],
  ])('is not answered through %s', async (_, call) => {
    const { requestState } = (await untilAsked()).body.result;
    const { body } = await post({ ...call, requestState, inputResponses: { 'q-1': YES } });
    expect(body.error).toEqual({ code: -32602, message: REQUEST_STATE_TEXT });
    expect(front.store.entries.get(onlyTask())?.delivered).toEqual([]);
  });

  it('goes on as a task for a retry that declares the extension', async () => {
    const { requestState } = (await untilAsked()).body.result;
    const { body } = await post(
      { ...WORK, requestState, inputResponses: { 'q-1': YES } },
      { capabilities: { ...FORMS, extensions: { [TASKS_EXTENSION]: {} } } },
    );
    expect([body.result.resultType, body.result.taskId]).toEqual(['task', onlyTask()]);
  });

  it('of a kind that the client did not declare is not shown: the task is named instead', async () => {
    front.store.onCreated = (taskId) => front.store.ask(taskId, { 'r-1': rootsList() });
    const { body } = await post(WORK);
    expect([body.result.resultType, body.result.structuredContent.task]).toEqual([
      'complete',
      expect.objectContaining({ id: onlyTask(), status: 'input_required' }),
    ]);
    expect(body.result).not.toHaveProperty('inputRequests');
  });

  it('keeps its task when the connection of a retry closes', async () => {
    const { requestState } = (await untilAsked()).body.result;
    const control = new AbortController();
    const retry = post({ ...WORK, requestState, inputResponses: { 'q-1': YES } }, { signal: control.signal });
    await eventually(() => front.store.entries.get(onlyTask())?.delivered.length === 1);
    control.abort();
    await expect(retry).rejects.toThrow('abort');
    await untilIdle();
    expect(front.store.entries.get(onlyTask())?.cancelReason).toBeUndefined();
  });
});

describe('a held call', () => {
  it('that lasts becomes a stream with comments in it, and ends with the one answer', async () => {
    verifies('http.sse', 'http.endpoint');
    const request: McpRequest = { method: 'tools/call', params: WORK, capabilities: {}, id: 'a' };
    const response = await fetch(front.url, { method: 'POST', headers: headersOf(request), body: bodyOf(request) });
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-accel-buffering')]).toEqual([
      200,
      'text/event-stream',
      'no',
    ]);
    const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
    expect(blocks.slice(0, -1).length).toBeGreaterThan(2);
    expect(new Set(blocks.slice(0, -1))).toEqual(new Set([': keepalive']));
    const [event, data = ''] = blocks.at(-1)!.split('\n');
    const message = JSON.parse(data.slice('data: '.length)) as RpcAnswer;
    expect([event, message.id, message.result.structuredContent.task]).toEqual([
      'event: message',
      'a',
      expect.objectContaining({ id: onlyTask() }),
    ]);
  });

  it('stays plain JSON for a client that takes no stream, and for one that is answered soon', async () => {
    verifies('http.endpoint');
    const late = await post(WORK, { headers: { accept: 'application/json' } });
    const soon = await post({ name: 'at_once', arguments: { name: 'Ada' } });
    const answers = [late, soon].map(({ headers }) => headers.get('content-type'));
    expect(answers).toEqual([expect.stringContaining('json'), expect.stringContaining('json')]);
  });

  it('reports progress under the given token, growing, with the words of the task, and nothing after the answer', async () => {
    verifies('notify.progress', 'notify.related');
    const patient = await startTestFront({ fallbackBudgetMs: 500, progressIntervalMs: 60 }, askingCatalog);
    patient.store.onCreated = (taskId) => patient.store.report(taskId, '3 of 10 pages');
    const request = { method: 'tools/call', params: WORK, capabilities: {}, meta: { progressToken: 't-1' } };
    const { text } = await patient.post(request);
    await patient.front.drain();
    const frames = text.split('\n').filter((line) => line.startsWith('data: '));
    const messages = frames.map((line) => JSON.parse(line.slice(6)) as { id?: unknown; params?: { progress: number } });
    const progress = messages.slice(0, -1).map(({ params }) => params);
    expect(progress.length).toBeGreaterThan(2);
    expect(progress).toEqual(
      progress.map((_, index) => ({ progressToken: 't-1', progress: index + 1, message: '3 of 10 pages' })),
    );
    expect(messages.at(-1)?.id).toBe(1);
  });

  it('reports nothing without a token', async () => {
    const { text } = await post(WORK);
    expect(text).not.toContain('notifications/progress');
  });

  it('ends at once when the server drains, with the result that names the task, which goes on', async () => {
    const stopping = await startTestFront({ fallbackBudgetMs: 30_000 }, askingCatalog);
    const held = stopping.post({ method: 'tools/call', params: WORK, capabilities: {} });
    const taskId = await eventually(() => [...stopping.store.entries.keys()][0] ?? false);
    const startedAt = performance.now();
    await stopping.front.drain();
    const answer = await held;
    expect(performance.now() - startedAt).toBeLessThan(patiently(3_000));
    expect([answer.status, answer.body.result.isError, answer.body.result.structuredContent.task]).toEqual([
      200,
      undefined,
      { id: taskId, status: 'working', nextPollSeconds: 1 },
    ]);
    expect(textOf(answer)).toContain('task_wait');
    expect(stopping.store.entries.get(taskId)?.cancelReason).toBeUndefined();
  });

  it('of a tool with an output schema names its task in words alone', async () => {
    const { body } = await post({ name: 'work_typed', arguments: {} }, { capabilities: {} });
    expect(body.result).not.toHaveProperty('structuredContent');
    expect(body.result.content[0].text).toContain(`Task ${onlyTask()} is not finished yet`);
  });
});
