/** The limits as a client meets them, over HTTP and over stdio. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createGate } from '../../../../server/auth/gate.ts';
import type { CredentialVerifier } from '../../../../server/auth/credential.ts';
import { createFront } from '../../../../server/front.ts';
import { createFailedSignIns } from '../../../../server/limits/failed-sign-ins.ts';
import { TooManyAnswers } from '../../../../server/task-store.ts';
import { askingCatalog } from '../../../support/asking-catalog.ts';
import { eventually } from '../../../support/eventually.ts';
import { ACCEPT, delivered, QUESTION, WORK } from '../../../support/held-question.ts';
import { envelope, post, type McpAnswer, type McpRequest } from '../../../support/mcp-request.ts';
import { readMetric } from '../../../support/metrics.ts';
import { atScopeEnd } from '../../../support/scope.ts';
import { CALLER, createTestServing, startTestFront, type TestFront } from '../../../support/test-front.ts';
import { startTestStdio } from '../../../support/test-stdio.ts';
import { verifies } from '../../../support/verifies.ts';

const FORMS = { elicitation: { form: {} } };

async function limitedFront(limits: object): Promise<TestFront> {
  const front = await startTestFront({ limits });
  atScopeEnd(() => front.front.drain());
  return front;
}

describe('over HTTP', () => {
  it('a call too many is 429 with Retry-After, and an error of our own under its id', async () => {
    verifies('tools.validate');
    const front = await limitedFront({ callsPerMinute: 1 });
    await front.call('greet', { name: 'Ann' });
    const { status, headers, body } = await front.call('greet', { name: 'Ann' }, { id: 'mine' });
    expect([status, body.id, body.error?.code]).toEqual([429, 'mine', -31003]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
    expect(body.error?.message).toMatch(/^Too many tool calls: 1 a minute may come\. Try again in \d+ s\.$/);
    expect(await readMetric(front.origin, 'mcp_limit_refusals_total', { limit: 'calls' })).toBe(1);
  });

  it('who may not poll may cancel and answer', async () => {
    verifies('poll.limit');
    const front = await limitedFront({ pollsPerSecond: 1 });
    const { taskId } = (await front.call('required_job')).body.result;
    const get = { method: 'tasks/get', params: { taskId } };
    const polls = await Promise.all([front.post(get), front.post(get), front.post(get)]);
    expect(polls.map(({ status }) => status).toSorted()).toContain(429);
    const refused = polls.find(({ status }) => status === 429);
    expect([refused?.body.error?.code, refused?.headers.get('retry-after')]).toEqual([-31004, '1']);
    const answer = await front.post({ method: 'tasks/update', params: { taskId, inputResponses: {} } });
    const cancel = await front.post({ method: 'tasks/cancel', params: { taskId } });
    expect([answer.status, cancel.status]).toEqual([200, 200]);
  });

  it('a stream too many is 429, and counted', async () => {
    const front = await limitedFront({ streams: 0 });
    const refused = await front.post({
      method: 'subscriptions/listen',
      params: { notifications: { taskIds: ['A'.repeat(22)] } },
    });
    expect([refused.status, refused.body.error?.code]).toEqual([429, -31002]);
    expect(await readMetric(front.origin, 'mcp_limit_refusals_total', { limit: 'streams' })).toBe(1);
  });

  it('a call that repeats one by its key gets the same task, also when there is no room for another', async () => {
    const front = await limitedFront({ openTasks: 1 });
    const call = (headers: McpRequest['headers']): Promise<McpAnswer> =>
      front.call('order', { vendor: 'V' }, { headers });
    const mine = { 'idempotency-key': 'mine' };
    const { taskId } = (await call(mine)).body.result;
    await eventually(async () => (await call({})).body.error?.code === -31005);
    expect((await call(mine)).body.result.taskId).toBe(taskId);
    expect((await call({ 'idempotency-key': 'another' })).body.error?.code).toBe(-31005);
    const other = await front.call('order', { vendor: 'W' }, { headers: mine });
    expect(other.body.error?.code).toBe(-31001);
    expect(front.store.entries.size).toBe(1);
  });

  describe('results that older clients wait for', () => {
    const older = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined };
    const result = ({ url }: TestFront, taskId: string, signal?: AbortSignal): Promise<McpAnswer> => {
      const rawBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId } });
      return post(url, {
        method: 'tasks/result',
        rawBody,
        headers: older,
        ...(signal === undefined ? {} : { signal }),
      });
    };

    it.each([
      ['this caller', { streams: 99, streamsPerCaller: 30 }],
      ['the process', { streams: 30, streamsPerCaller: 99 }],
    ])('are streams among those of %s: one too many is 429, until another ends', async (_, listenLimits) => {
      const front = await startTestFront({ listenLimits });
      atScopeEnd(() => front.front.drain());
      const { taskId } = (await front.call('required_job')).body.result;
      const ended = (await front.call('required_job')).body.result.taskId;
      front.store.finishWithText(ended, 'done');
      const control = new AbortController();
      const waiting = Array.from({ length: 30 }, () => result(front, taskId, control.signal).catch(() => undefined));
      await eventually(() => front.store.watcherCount === 30);

      const { status, headers, body } = await result(front, taskId);
      expect([status, headers.get('retry-after'), body.error?.code, body.id]).toEqual([429, '5', -31002, 1]);
      const listen = await front.post({
        method: 'subscriptions/listen',
        params: { notifications: { taskIds: [taskId] } },
      });
      expect([listen.status, listen.body.error]).toEqual([429, body.error]);
      expect(front.store.watcherCount).toBe(30);
      expect(await readMetric(front.origin, 'mcp_limit_refusals_total', { limit: 'streams' })).toBe(2);
      expect(await readMetric(front.origin, 'mcp_task_streams_open')).toBe(30);
      // What has ended is not waited for.
      expect((await result(front, ended)).text).toContain('done');
      expect((await result(front, 'A'.repeat(22))).status).toBe(429);

      control.abort();
      await Promise.all(waiting);
      await eventually(async () => (await readMetric(front.origin, 'mcp_task_streams_open')) === 0);
      const answering = result(front, taskId);
      await eventually(() => front.store.watcherCount === 1);
      front.store.finishWithText(taskId, 'done later');
      expect((await answering).text).toContain('done later');
    });
  });

  describe('without room for another task', () => {
    let front: TestFront;
    let requestState: unknown;
    beforeEach(async () => {
      front = await startTestFront({ limits: { openTasks: 1 } }, askingCatalog);
      atScopeEnd(() => front.front.drain());
      front.store.onCreated = (taskId) => front.store.ask(taskId, QUESTION);
      const held = await front.call('work', WORK.arguments, { capabilities: FORMS });
      requestState = held.body.result.requestState;
      await eventually(async () => (await front.call('work', { what: 'y' })).body.error?.code === -31005);
    });

    it('a call goes on with what its task has asked', async () => {
      const params = { ...WORK, requestState, inputResponses: { 'q-1': ACCEPT } };
      const { status } = await front.post({ method: 'tools/call', params, capabilities: FORMS });
      expect([status, delivered(front)]).toEqual([200, [{ 'q-1': ACCEPT }]]);
    });

    it.each([
      ['made up', () => 'x'],
      ["its own, of a task of the newer revision's", () => requestState],
    ])('an older call starts none, whatever state it names: %s', async (_, state) => {
      const before = front.store.entries.size;
      const params = { ...WORK, requestState: state() };
      const { status, body } = await front.post({
        method: 'tools/call',
        rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined },
      });
      expect([status, body.error?.code, front.store.entries.size]).toEqual([429, -31005, before]);
    });
  });

  it('a task that takes no more answers says so', async () => {
    const front = await limitedFront({});
    const { taskId } = (await front.call('required_job')).body.result;
    front.store.nextError = new TooManyAnswers();
    const { body } = await front.post({ method: 'tasks/update', params: { taskId, inputResponses: {} } });
    expect(body.error?.code).toBe(-31006);
  });
});

describe('failed sign-ins over HTTP', () => {
  it('are 401, from some number on 429 for good tokens too, and counted by what was lacking', async () => {
    const { parts } = createTestServing();
    const verifier: CredentialVerifier = {
      recognizes: () => true,
      async verify(token) {
        if (token === 'good') return { credential: { issuer: 'https://i', subject: 'ada', scopes: new Set<string>() } };
        return { fault: { kind: 'invalid', text: 'The token is not valid here.', reason: 'test' } };
      },
    };
    const { config, log } = parts;
    const failedSignIns = createFailedSignIns(2, undefined);
    const gate = createGate({
      verifiers: [verifier],
      principalRing: config.principalRing,
      resource: undefined,
      failedSignIns,
      log,
    });
    const front = createFront({ ...parts, gate });
    const url = await front.listen();
    atScopeEnd(() => front.drain());
    const signIn = (token?: string): Promise<McpAnswer> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return post(url, { method: 'tools/list', headers });
    };
    const statuses: number[] = [];
    for (const token of [undefined, 'good', 'bad', 'good', 'bad']) statuses.push((await signIn(token)).status);
    expect(statuses).toEqual([401, 200, 401, 200, 401]);
    const { status, headers } = await signIn('good');
    expect([status, Number(headers.get('retry-after')) > 50]).toEqual([429, true]);
    const failures = (kind: string): Promise<number> =>
      readMetric(new URL(url).origin, 'mcp_sign_in_failures_total', { kind });
    expect(await Promise.all(['missing', 'invalid', 'throttled'].map(failures))).toEqual([1, 2, 1]);
  });
});

describe('over stdio', () => {
  it('a poll too many is the same error, and what comes after it goes on', async () => {
    const stdio = startTestStdio({ limits: { pollsPerSecond: 1 } });
    const params = { taskId: 'A'.repeat(22) };
    const ids = [1, 2].map(() => stdio.send('tasks/get', params));
    const cancel = stdio.send('tasks/cancel', params);
    const codes = await Promise.all([...ids, cancel].map(async (id) => (await stdio.answer(id)).error?.code));
    expect(codes).toEqual([-32602, -31004, -32602]);
  });

  it('a cancel does not overtake the call that it means', async () => {
    const stdio = startTestStdio();
    const id = 'cancelled at once';
    const params = { name: 'order', arguments: { vendor: 'Nordlicht' }, _meta: envelope() };
    // In one piece, as a client sends them that has changed its mind.
    stdio.write(
      [
        { id, method: 'tools/call', params },
        { method: 'notifications/cancelled', params: { requestId: id } },
      ]
        .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
        .join('\n'),
    );
    for (let asked = 0; asked < 3; asked += 1) await stdio.answer(stdio.send('tools/list'));
    // A call that nobody has cancelled would leave a task behind that works.
    await eventually(async () => {
      const tasks = [...stdio.store.entries.keys()].map((taskId) => stdio.store.get(CALLER, taskId));
      return (await Promise.all(tasks)).every(({ status }) => status === 'cancelled');
    });
    expect(stdio.frames().filter((frame) => frame.id === id)).toEqual([]);
  });
});
