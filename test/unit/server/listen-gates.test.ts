import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import { bodyOf, headerLinesOf, type McpAnswer, type McpRequest } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
let taskId: string;
beforeAll(async () => {
  front = await startTestFront();
  const { body } = await front.call('required_job');
  taskId = body.result.taskId;
});
afterAll(async () => front.front.drain());

function ask(taskIds: unknown, more: Partial<McpRequest> = {}): Promise<McpAnswer> {
  return front.post({ method: 'subscriptions/listen', params: { notifications: { taskIds } }, ...more });
}
const outcome = ({ status, body }: McpAnswer): unknown => [status, body.error?.code, body.id];
const UNDECLARED = { elicitation: { form: {} } };

describe('subscriptions/listen with taskIds is refused', () => {
  it.each(['mcp-protocol-version', 'mcp-method'])('without the header %s, before anything else', async (name) => {
    const answer = await ask('no array', { headers: { [name]: undefined, accept: '*/*' }, capabilities: UNDECLARED });
    expect(outcome(answer)).toEqual([400, -32020, 1]);
  });

  it('when headers and body disagree', async () => {
    expect(outcome(await ask([taskId], { headers: { 'mcp-method': 'tools/list' } }))).toEqual([400, -32020, 1]);
    expect(outcome(await ask([taskId], { headers: { 'mcp-protocol-version': '2025-11-25' } }))).toEqual([
      400, -32020, 1,
    ]);
  });

  it('under a revision that is not served', async () => {
    verifies('env.version');
    const version = '2031-01-01';
    const answer = await ask([taskId], {
      meta: { 'io.modelcontextprotocol/protocolVersion': version },
      headers: { 'mcp-protocol-version': version },
    });
    expect(outcome(answer)).toEqual([400, -32022, 1]);
  });

  it('without the extension, before a look at the filter', async () => {
    verifies('listen.undeclared');
    for (const taskIds of [[taskId], 'no array', [7], []]) {
      const answer = await ask(taskIds, { capabilities: UNDECLARED, id: 'a' });
      expect(outcome(answer)).toEqual([400, -32021, 'a']);
      expect(answer.body.error?.data?.requiredCapabilities).toEqual({ extensions: { [TASKS_EXTENSION]: {} } });
    }
  });

  it.each([null, 'T', 7, {}, true, [7], [null], [['T']], [undefined, 'T'], { length: 1 }])(
    'when taskIds is %j',
    async (taskIds) => {
      const answer = await ask(taskIds);
      expect(outcome(answer)).toEqual([200, -32602, 1]);
      expect(answer.body.error?.message).toBe('params.notifications.taskIds must be an array of strings.');
    },
  );

  it.each([{ toolsListChanged: 'yes' }, { resourcesListChanged: 1 }, { resourceSubscriptions: 'x' }])(
    'when another field of the filter is malformed: %j',
    async (field) => {
      const answer = await ask([], { params: { notifications: { taskIds: [taskId], ...field } } });
      expect(outcome(answer)).toEqual([200, -32602, 1]);
      expect(answer.body.error?.message).toContain(`params.notifications.${Object.keys(field)[0] ?? ''} must be`);
    },
  );

  it('with more than a thousand ids, however many there are', async () => {
    for (const length of [1_001, 9_000]) {
      const answer = await ask(Array.from({ length }, () => taskId));
      expect(outcome(answer)).toEqual([200, -32602, 1]);
      expect(answer.body.error?.message).toContain('at most 1000 ids');
    }
  });

  it.each(['application/json', 'text/event-stream;q=0', ''])('with Accept: %j', async (accept) => {
    expect(outcome(await ask([taskId], { headers: { accept } }))).toEqual([406, -32600, 1]);
  });

  it('when the store is out of reach, in words of our own', async () => {
    front.store.nextError = new StoreUnavailable('connect 10.1.2.3:7233');
    const answer = await ask([taskId]);
    expect(outcome(answer)).toEqual([200, -32603, 1]);
    expect(answer.text).not.toContain('10.1.2.3');
  });

  it.each([
    ['this caller', { streams: 9, streamsPerCaller: 3 }],
    ['the process', { streams: 3, streamsPerCaller: 9 }],
  ])('once %s has as many streams as may be, until one of them is closed', async (_, listenLimits) => {
    const small = await startTestFront({ listenLimits });
    const taskId = (await small.call('required_job')).body.result.taskId;
    const streams = await Promise.all([1, 2, 3].map(() => listen(small.url, [taskId])));
    const refused = await small.post({
      method: 'subscriptions/listen',
      params: { notifications: { taskIds: [taskId] } },
    });
    expect(outcome(refused)).toEqual([429, -31002, 1]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    streams[0]?.close();
    await eventually(async () => {
      const stream = await listen(small.url, [taskId]).catch(() => undefined);
      return stream !== undefined;
    });
    await small.front.drain();
  });
});

/** Requests on one connection, each sent before the one ahead of it is answered. */
function sendAhead(url: string, requests: readonly McpRequest[]): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  for (const request of requests) {
    const body = bodyOf(request);
    const headers = headerLinesOf(request);
    const lines = [`Host: ${host}`, `Content-Length: ${String(Buffer.byteLength(body))}`, ...headers];
    socket.write(['POST /mcp HTTP/1.1', ...lines, '', body].join('\r\n'));
  }
  return socket;
}

describe('streams that wait behind another one on their connection', () => {
  const listening = (id: string): McpRequest => ({
    method: 'subscriptions/listen',
    params: { notifications: { taskIds: [id] } },
  });

  it('make room with the end of that connection', async () => {
    const small = await startTestFront({ listenLimits: { streams: 3, streamsPerCaller: 3 } });
    const id = (await small.call('required_job')).body.result.taskId;
    const socket = sendAhead(
      small.url,
      [1, 2, 3].map(() => listening(id)),
    );
    await eventually(() => small.store.watcherCount === 3);
    socket.destroy();
    await eventually(() => small.store.watcherCount === 0);
    const stream = await listen(small.url, [id]);
    stream.close();
    await small.front.drain();
  });

  it('say nothing once they have ended', async () => {
    const quick = await startTestFront({ listenLimits: { keepAliveMs: 10 } });
    const id = (await quick.call('required_job')).body.result.taskId;
    const socket = sendAhead(quick.url, [listening(id), listening('unknown')]);
    let read = '';
    socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
    await eventually(() => quick.store.watcherCount === 1);
    // The second has been refused by now, and waits its turn to say so: nothing of it may come between.
    await eventually(() => read.split(': keepalive').length > 10);
    expect(read.match(/^HTTP\/1.1 /gm)).toHaveLength(1);
    expect((await quick.call('required_job')).status).toBe(200);
    socket.destroy();
    await quick.front.drain();
  });
});

describe('subscriptions/listen with taskIds is accepted', () => {
  it.each(['*/*', 'text/event-stream', 'text/*', 'application/json;q=0.5, TEXT/EVENT-STREAM; q=0.9'])(
    'with Accept: %j',
    async (accept) => {
      const stream = await listen(front.url, [taskId], { headers: { accept } });
      expect(stream.headers.get('x-accel-buffering')).toBe('no');
      stream.close();
      await eventually(() => front.store.watcherCount === 0);
    },
  );
});
