import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, headerLinesOf, type McpRequest } from '../../support/mcp-request.ts';
import { rawHttp, rawPost, statusOf } from '../../support/raw-http.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
let taskId: string;
beforeAll(async () => {
  front = await startTestFront({ allowedOrigins: ['https://app.example.com'], allowedHosts: ['front.test'] });
  const created = await front.call('required_job');
  taskId = created.body.result.taskId;
});
afterAll(async () => front.front.drain());

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

async function answer(request: McpRequest): Promise<unknown[]> {
  const { status, body } = await front.post(request);
  return [status, body.error?.code];
}

/** Header lines as they stand on the wire, so that one may be sent twice. */
async function sendRaw(request: McpRequest, more: readonly string[]): Promise<string> {
  const lines = headerLinesOf(request);
  return rawHttp(front.origin, rawPost(front.origin, [...lines, ...more], bodyOf(request)));
}

describe.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('Mcp-Name on %s', (method) => {
  const request = (name: string | undefined): McpRequest => ({
    method,
    params: { taskId, inputResponses: {} },
    headers: { 'mcp-name': name },
  });

  it('is decoded from its base64 form before it is compared', async () => {
    expect(await answer(request(base64(taskId)))).toEqual([200, undefined]);
  });

  it.each(['=?base64?!!!?=', '=?base64??=', '', 'AAAAAAAAAAAAAAAAAAAAAA'])('is refused as %j', async (name) => {
    expect(await answer(request(name))).toEqual([400, -32020]);
  });

  it('is refused with an upper-case marker, and when it is missing', async () => {
    verifies('http.headers');
    expect(await answer(request(base64(taskId).replace('base64', 'BASE64')))).toEqual([400, -32020]);
    expect(await answer(request(undefined))).toEqual([400, -32020]);
  });

  it('is refused when sent twice, equal or not', async () => {
    for (const second of [taskId, 'AAAAAAAAAAAAAAAAAAAAAA']) {
      const text = await sendRaw(request(taskId), [`Mcp-Name: ${second}`]);
      expect(statusOf(text)).toBe(400);
      expect(text).toContain('-32020');
    }
  });

  it('has a name that is case-insensitive', async () => {
    expect(await answer({ ...request(undefined), headers: { 'mcp-name': undefined, 'MCP-NAME': taskId } })).toEqual([
      200,
      undefined,
    ]);
  });
});

describe('standard headers', () => {
  it('have values that are case-sensitive and agree with the body', async () => {
    verifies('http.headers');
    const get = { method: 'tasks/get', params: { taskId } };
    expect(await answer({ ...get, headers: { 'mcp-method': 'Tasks/Get' } })).toEqual([400, -32020]);
    expect(await answer({ ...get, headers: { 'mcp-method': undefined } })).toEqual([400, -32020]);
    expect(await answer({ ...get, headers: { 'mcp-protocol-version': undefined } })).toEqual([400, -32020]);
    expect(await answer({ ...get, headers: { 'mcp-protocol-version': '2025-11-25' } })).toEqual([400, -32020]);
  });

  it('name a tool with a space in base64', async () => {
    const { body } = await front.call('no such tool');
    expect(body.error?.code).toBe(-32602);
  });

  it('ignore a session id', async () => {
    verifies('http.methods', 'env.stateless');
    expect(await answer({ method: 'tools/list', headers: { 'mcp-session-id': 'x' } })).toEqual([200, undefined]);
  });

  it('name a version that is served', async () => {
    verifies('env.version');
    const { status, body } = await front.post({
      method: 'tools/list',
      headers: { 'mcp-protocol-version': '1900-01-01' },
      meta: { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' },
    });
    expect([status, body.error?.code, body.error?.data?.supported]).toEqual([400, -32022, ['2026-07-28']]);
  });
});

describe('Mcp-Param-* headers', () => {
  const call = (args: unknown, headers: McpRequest['headers']): Promise<unknown[]> =>
    answer({ method: 'tools/call', params: { name: 'routed', arguments: args }, headers });

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'Köln' }, { 'mcp-param-region': base64('Köln') }],
    [
      { region: 'eu', level: 42 },
      { 'mcp-param-region': 'eu', 'mcp-param-level': '42.0' },
    ],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-level': 'ignored' }],
  ])('pass when they repeat the arguments %j', async (args, headers) => {
    expect(await call(args, headers)).toEqual([200, undefined]);
  });

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?!!!?=' }],
    [
      { region: 'eu', level: 42 },
      { 'mcp-param-region': 'eu', 'mcp-param-level': '43' },
    ],
  ])('are refused when they differ from the arguments %j', async (args, headers) => {
    verifies('http.param-headers');
    expect(await call(args, headers)).toEqual([400, -32020]);
  });

  it('never have their values repeated', async () => {
    const { text } = await front.call('routed', { region: 'secret-one' }, { headers: { 'mcp-param-region': 'other' } });
    expect(text).not.toMatch(/secret-one|other/);
  });
});

describe('Origin and Host', () => {
  const withOrigin = async (origin: string): Promise<number> => {
    const request = { method: 'tools/call', params: { name: 'required_job', arguments: {} } };
    return statusOf(await sendRaw(request, [`Origin: ${origin}`]));
  };

  it.each([
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://evil.test',
    'null',
    'http://',
    'http://evil@localhost',
    'https://app.example.com.evil.test',
    'file://localhost',
  ])('refuses Origin %s before anything acts', async (origin) => {
    verifies('http.origin');
    const before = front.store.entries.size;
    expect(await withOrigin(origin)).toBe(403);
    expect(front.store.entries.size).toBe(before);
  });

  it.each(['HTTP://LOCALHOST:8080', 'http://[::1]:8080', 'http://127.0.0.1', 'https://app.example.com'])(
    'lets Origin %s pass',
    async (origin) => {
      expect(await withOrigin(origin)).toBe(200);
    },
  );

  it('refuses two Origins and a foreign Host, on every path', async () => {
    const list = { method: 'tools/list' };
    const twice = await sendRaw(list, ['Origin: http://localhost', 'Origin: http://localhost']);
    const foreign = await sendRaw(list, ['Host: evil.test:8080']);
    const health = await rawHttp(front.origin, 'GET /healthz HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n');
    const configured = await sendRaw(list, ['Host: front.test:8080']);
    expect([twice, foreign, health, configured].map(statusOf)).toEqual([403, 403, 403, 200]);
  });

  it('answers a preflight for allowed origins only', async () => {
    const preflight = (origin: string): Promise<Response> =>
      fetch(front.url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-headers': 'mcp-param-region' },
      });
    const allowed = await preflight('http://localhost:5173');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    expect(allowed.headers.get('access-control-allow-headers')).toContain('mcp-param-region');
    const refused = await preflight('http://evil.test');
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('HTTP methods', () => {
  it.each(['GET', 'DELETE', 'PUT'])('refuses %s', async (method) => {
    verifies('http.methods');
    const response = await fetch(front.url, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('the headers of a request', () => {
  const withHeader = (bytes: number): Promise<string> =>
    sendRaw({ method: 'tasks/get', params: { taskId } }, [`X-Filler: ${'x'.repeat(bytes)}`]);

  it('may take nearly 16 KiB together', async () => {
    expect(statusOf(await withHeader(15 * 1024))).toBe(200);
  });

  it('are 431 beyond that', async () => {
    expect(statusOf(await withHeader(16 * 1024))).toBe(431);
  });
});
