/** The limits as a client meets them, over HTTP and over stdio. */
import { describe, expect, it } from '@jest/globals';
import { createGate } from '../../../../server/auth/gate.ts';
import type { CredentialVerifier } from '../../../../server/auth/credential.ts';
import { createFront } from '../../../../server/front.ts';
import { createFailedSignIns } from '../../../../server/limits/failed-sign-ins.ts';
import { TooManyAnswers } from '../../../../server/task-store.ts';
import { eventually } from '../../../support/eventually.ts';
import { envelope, post, type McpAnswer, type McpRequest } from '../../../support/mcp-request.ts';
import { readMetric } from '../../../support/metrics.ts';
import { atScopeEnd } from '../../../support/scope.ts';
import { CALLER, createTestServing, startTestFront, type TestFront } from '../../../support/test-front.ts';
import { startTestStdio } from '../../../support/test-stdio.ts';
import { verifies } from '../../../support/verifies.ts';

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
