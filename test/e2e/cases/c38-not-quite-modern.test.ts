/**
 * C38: clients that are not quite modern. Each is served or told what it would have to send, and none is left without an
 * answer that says so.
 *
 * The older dialects whole: test/e2e/older-dialects.test.ts. Each header alone: test/unit/server/http-headers.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROTOCOL_VERSION } from '../../../protocol/extension.ts';
import { bodyOf, headersOf, post, type McpAnswer, type McpRequest } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { openProduct } from '../../support/product.ts';
import { rawHttp, rawPost, statusOf } from '../../support/raw-http.ts';
import { createTaskClient } from '../../support/task-client.ts';
import { verifies } from '../../support/verifies.ts';

let front: RoleProcess;
let url = '';

beforeAll(async () => {
  const product = await openProduct();
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
  url = `${front.url}/mcp`;
}, 60_000);

const refusalOf = ({ status, body }: McpAnswer): unknown[] => [status, body.error?.code];
const call = (args: object): McpRequest => ({
  method: 'tools/call',
  params: { name: 'slow_compute', arguments: args },
  capabilities: {},
});

/** Without an envelope, as an older client sends it. */
function bare(method: string, params: object, headers: McpRequest['headers'] = {}): Promise<McpAnswer> {
  return post(url, {
    method,
    rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined, ...headers },
  });
}

describe('initialize', () => {
  const params = (protocolVersion: string): Readonly<Record<string, unknown>> => ({
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'older', version: '1' },
  });

  it.each(['2025-11-25', '2025-06-18'])('with %s is answered in that version', async (version) => {
    const { status, body } = await bare('initialize', params(version));
    expect([status, body.result]).toEqual([200, expect.objectContaining({ protocolVersion: version })]);
  });

  // Spec: versioning, Backward Compatibility: for a server of both eras `initialize` selects the older one, whatever version it
  // names, and 2025-11-25, lifecycle, has the server answer with a version of its own.
  it.each([PROTOCOL_VERSION, '1900-01-01', 'x'])('with %s is answered with a version that has it', async (version) => {
    const { status, body } = await bare('initialize', params(version));
    expect([status, body.result]).toEqual([200, expect.objectContaining({ protocolVersion: '2025-11-25' })]);
  });

  it('in an envelope of the new revision is an error that names the versions', async () => {
    const answer = await post(url, { method: 'initialize', params: params(PROTOCOL_VERSION) });
    expect(refusalOf(answer)).toEqual([404, -32601]);
    expect(answer.body.error?.data?.supported).toEqual(expect.arrayContaining([PROTOCOL_VERSION, '2025-11-25']));
    expect(answer.body.error?.message).toContain(`serves ${PROTOCOL_VERSION}`);
  });
});

describe('a request of the new revision that is not whole', () => {
  it.each(['server/discover', 'tools/list'])(
    '%s without _meta is -32602, or -32020 where a header is missing too',
    async (method) => {
      verifies('env.meta');
      const rawBody = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: {} });
      const whole = await post(url, { method, rawBody });
      expect([...refusalOf(whole), whole.body.id]).toEqual([400, -32602, 7]);
      const noMethod = await post(url, { method, rawBody, headers: { 'mcp-method': undefined } });
      expect([noMethod.status, [-32602, -32020].includes(noMethod.body.error?.code ?? 0)]).toEqual([400, true]);
    },
  );

  it.each([
    ['the version', 'io.modelcontextprotocol/protocolVersion'],
    ['the capabilities', 'io.modelcontextprotocol/clientCapabilities'],
  ])('without %s in its envelope is refused', async (_what, member) => {
    const list = { method: 'tools/list' };
    const body = JSON.parse(bodyOf(list)) as { params: { _meta: Record<string, unknown> } };
    const { [member]: _, ..._meta } = body.params._meta;
    const rawBody = JSON.stringify({ ...body, params: { _meta } });
    const answer = await post(url, { ...list, rawBody });
    expect([answer.status, [-32602, -32020].includes(answer.body.error?.code ?? 0)]).toEqual([400, true]);
  });

  it('of an unknown version is -32022, naming what is served', async () => {
    const version = '1900-01-01';
    const answer = await post(url, {
      method: 'server/discover',
      headers: { 'mcp-protocol-version': version },
      meta: { 'io.modelcontextprotocol/protocolVersion': version },
    });
    expect([...refusalOf(answer), answer.body.error?.data?.supported]).toEqual([400, -32022, [PROTOCOL_VERSION]]);
  });
});

describe('what the new revision has no more', () => {
  it.each(['tasks/result', 'tasks/list', 'ping', 'logging/setLevel', 'no/such'])(
    '%s is 404 and -32601',
    async (method) => {
      verifies('env.method');
      expect(refusalOf(await post(url, { method, params: { taskId: 'A'.repeat(22) } }))).toEqual([404, -32601]);
    },
  );

  it.each(['GET', 'DELETE'])('%s is 405', async (method) => {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('a session id and the task hint of 2025-11-25 change nothing', async () => {
    const request = { ...call({ seconds: 0, label: 'hinted' }), headers: { 'mcp-session-id': 'x' } };
    const { body, headers } = await post(url, { ...request, params: { ...request.params, task: { ttl: 60_000 } } });
    expect([body.result.resultType, body.result.content[0].text]).toEqual(['complete', 'hinted is done after 0 s.']);
    expect(headers.get('mcp-session-id')).toBeNull();
  });
});

describe('what may be cached', () => {
  it.each(['server/discover', 'tools/list'])('%s says for how long and for whom', async (method) => {
    verifies('cache.hints');
    const { result } = (await post(url, { method })).body;
    expect([Number.isInteger(result.ttlMs) && result.ttlMs >= 0, result.cacheScope]).toEqual([true, 'private']);
  });
});

describe('an Accept of', () => {
  const ACCEPTS = [
    '*/*',
    'application/*, text/event-stream;q=0.5',
    'application/json',
    undefined,
    'text/html',
    'nonsense',
  ];

  /** Nothing is added to these headers on the way, as `fetch` would. */
  async function send(request: McpRequest, accept: string | undefined): Promise<string> {
    const lines = Object.entries(headersOf({ ...request, headers: { accept } }));
    return rawHttp(
      front.url,
      rawPost(
        front.url,
        lines.map(([name, value]) => `${name}: ${value}`),
        bodyOf(request),
      ),
    );
  }

  it.each(ACCEPTS)('%s is served where the answer is JSON', async (accept) => {
    const taskId = await createTaskClient(front.url).create('slow_compute', { seconds: 30 });
    const requests: McpRequest[] = [
      call({ seconds: 0, label: 'accepted' }),
      { method: 'server/discover' },
      { method: 'tools/list' },
      { method: 'tasks/get', params: { taskId } },
      { method: 'tasks/cancel', params: { taskId } },
    ];
    for (const request of requests) {
      const answer = await send(request, accept);
      expect([request.method, statusOf(answer), answer]).toEqual([
        request.method,
        200,
        expect.stringMatching(/content-type: application\/json[^]*"result":/i),
      ]);
    }
  });

  it('JSON alone gets JSON for a call that is held, whatever progress it asked for', async () => {
    const request = { ...call({ seconds: 6, label: 'held' }), meta: { progressToken: 'p' } };
    const answer = await send(request, 'application/json');
    expect([statusOf(answer), answer]).toEqual([
      200,
      expect.stringMatching(/content-type: application\/json[^]*held is done after 6 s\./i),
    ]);
  }, 60_000);

  it('anything but a stream is 406 for a subscription, with what to send', async () => {
    const request = { method: 'subscriptions/listen', params: { notifications: { taskIds: ['A'.repeat(22)] } } };
    for (const accept of ['application/json', 'text/html', 'text/event-stream;q=0']) {
      const answer = await send(request, accept);
      expect([statusOf(answer), answer]).toEqual([406, expect.stringContaining('send Accept: text/event-stream')]);
    }
  });
});
