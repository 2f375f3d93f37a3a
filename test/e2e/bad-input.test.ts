/**
 * Bad input over the real front: each is answered with what is wrong and what to do, makes no task where it can be refused
 * before, and leaks nothing. The front stays up, in the memory it had.
 *
 * A dead ERP: test/integration/purchase-order.test.ts. Single faults of bodies, headers and documents: test/unit/server and
 * test/unit/activities. A full disk: test/unit/store/folder-blobs.test.ts.
 */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { TASKS_EXTENSION } from '../../protocol/extension.ts';
import type { JsonObject } from '../../protocol/task.ts';
import { trackCreated } from '../support/created-tasks.ts';
import { bodyOf, post, type McpAnswer, type McpRequest } from '../support/mcp-request.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, type Product } from '../support/product.ts';
import { rawHttp, statusOf } from '../support/raw-http.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../support/task-client.ts';
import { openTemporal } from '../support/temporal.ts';

/** Stands where a caller's values stand. */
const SECRET = 's3cret-4711';
/** Short words stand alone in it, or a random id that happens to spell one would be taken for a leak. */
const INTERNAL =
  /127\.0\.0\.1|localhost|\w:\d{4,5}\b|\bat .*:\d+:\d+|node_modules|\.ts\b|\/(?:work|tmp|home|root)\/|\bgrpc\b|\bECONN[A-Z]+\b|UNAVAILABLE|DEADLINE_EXCEEDED|NOT_FOUND|\bzod(?:error)?\b|Temporal/i;
const PATIENCE_MS = 20_000;
const MEGABYTE = 1024 * 1024;
const MAX_GROWTH_BYTES = 150 * MEGABYTE;

let product: Product;
let front: RoleProcess;
let client: TaskClient;
let created: () => Promise<readonly string[]>;

beforeAll(async () => {
  product = await openProduct();
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
  client = createTaskClient(front.url);
  const temporal = await openTemporal();
  created = trackCreated(temporal.client, String(product.env['TASK_QUEUE']), () =>
    client.create('slow_compute', { seconds: 0 }),
  );
}, 60_000);

afterEach(async () => {
  expect(front.isRunning()).toBe(true);
  expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
});

const order: McpRequest = {
  method: 'tools/call',
  params: { name: 'purchase_order', arguments: aCall({ vendor: SECRET }) },
};
const good = bodyOf(order);

/** What came back, once it is sure that it leaks nothing. */
async function send(request: McpRequest): Promise<McpAnswer> {
  const answer = await post(`${front.url}/mcp`, request);
  expect(answer.text).not.toMatch(INTERNAL);
  expect(answer.text).not.toContain(SECRET);
  return answer;
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${String(front.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"jsonrpc": "2.0", ', 400, -32700, /not valid JSON/],
    ['of another format', `<order vendor="${SECRET}"/>`, 400, -32700, /not valid JSON/],
    ['with a jsonrpc of another type', good.replace('"2.0"', '2'), 400, -32600, /jsonrpc must be "2\.0"/],
    ['with a method of another type', good.replace('"tools/call"', '{}'), 400, -32600, /method must be a string/],
    [
      'with params of another type',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}',
      400,
      -32600,
      /params must/,
    ],
    ['with an id of another type', good.replace('"id":1', '"id":{}'), 400, -32600, /id must be a string or an integer/],
    [
      'that is nested too deep',
      good.replace('"lines"', `"x":${'['.repeat(200)}${']'.repeat(200)},"lines"`),
      400,
      -32600,
      /nested/,
    ],
    ['whose tool has no name', bodyOf({ ...order, params: { arguments: {} } }), 200, -32602, /params\.name must be/],
  ])('%s is refused', async (_what, rawBody, status, code, message) => {
    const { status: answered, body } = await send({ ...order, rawBody, headers: { 'mcp-name': undefined } });
    expect([answered, body.error?.code, body.error?.message]).toEqual([status, code, expect.stringMatching(message)]);
    expect(await created()).toEqual([]);
  });

  it('that is huge is refused with and without its length, and not kept', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(front.url).host}\r\nContent-Type: application/json\r\n`;
    const huge = Buffer.alloc(24 * MEGABYTE, 32);
    const chunk = [`${huge.length.toString(16)}\r\n`, huge, '\r\n'] as const;
    const before = await residentBytes();
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all([
        rawHttp(front.url, `${head}Content-Length: ${String(huge.length)}\r\n\r\n`, huge),
        rawHttp(front.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunk, ...chunk, '0\r\n\r\n'),
      ]);
      expect(answers.map(statusOf)).toEqual([413, 413]);
      for (const answer of answers) expect(answer).toMatch(/The request body is larger than 4194304 bytes/);
    }
    expect((await residentBytes()) - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(await created()).toEqual([]);
  }, 60_000);
});

describe('a header', () => {
  it.each<[string, McpRequest['headers'], RegExp]>([
    ['Mcp-Method is missing', { 'mcp-method': undefined }, /Mcp-Method/i],
    ['Mcp-Method says something else', { 'mcp-method': 'tools/list' }, /Mcp-Method/i],
    ['Mcp-Name is missing', { 'mcp-name': undefined }, /Mcp-Name/i],
    ['Mcp-Name says something else', { 'mcp-name': 'greet' }, /Mcp-Name/i],
    ['Mcp-Protocol-Version is missing', { 'mcp-protocol-version': undefined }, /Mcp-Protocol-Version/i],
    ['Mcp-Protocol-Version says something else', { 'mcp-protocol-version': '2025-11-25' }, /Mcp-Protocol-Version/i],
  ])('is named when %s', async (_what, headers, message) => {
    const { status, body } = await send({ ...order, headers });
    expect([status, body.error?.code, body.error?.message]).toEqual([400, -32020, expect.stringMatching(message)]);
    expect(await created()).toEqual([]);
  });

  it('for the media type is asked for', async () => {
    const { status, body } = await send({ ...order, headers: { 'content-type': 'text/plain' } });
    expect([status, body.error?.message]).toEqual([415, 'Send Content-Type: application/json, in UTF-8.']);
  });
});

describe('a call', () => {
  it.each([SECRET, 'Purchase_Order', 'purchase_order ', '../purchase_order', '__proto__', 'x'.repeat(10_000)])(
    'of the unknown tool %j is refused and says where the known ones stand',
    async (name) => {
      const { status, body } = await send({ method: 'tools/call', params: { name, arguments: {} } });
      expect([status, body.error]).toEqual([
        200,
        { code: -32602, message: 'Unknown tool. tools/list names the tools of this server.' },
      ]);
      expect(await created()).toEqual([]);
    },
  );

  it.each<[string, JsonObject, RegExp]>([
    ['purchase_order', { lines: SECRET }, /lines must be an array/],
    ['purchase_order', { vendor: 'V', currency: SECRET }, /currency: must be an ISO 4217 code like "EUR"/],
    ['purchase_order', { neededBy: SECRET }, /neededBy/],
    ['purchase_order', { idempotencyKey: `${SECRET}\n` }, /idempotencyKey: must be 1 to 255 visible characters/],
    ['purchase_order', { document: { format: SECRET, text: '' } }, /document\.format must be one of "json", "csv"/],
    ['purchase_order', { document: { format: 'csv', text: SECRET.repeat(20_000) } }, /document\.text: .*200000/],
    ['slow_compute', { seconds: SECRET }, /seconds must be a (whole )?number/],
    ['slow_compute', { seconds: -1 }, /seconds/],
    ['slow_compute', { seconds: 1e300 }, /seconds/],
    ['greet', { name: [SECRET] }, /name must be a string/],
  ])('of %s whose arguments violate its schema names the member: %#', async (name, args, fault) => {
    const { body } = await send({ method: 'tools/call', params: { name, arguments: args } });
    expect(body.result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(body.result.content[0].text).toMatch(fault);
    expect(await created()).toEqual([]);
  });
});

describe('a task id', () => {
  it.each(['A'.repeat(22), '', SECRET, '../../etc/passwd', 'a\u0000b', 'ü', 'x'.repeat(4_000), 7, null, ['x'], {}])(
    'that is unknown or malformed is the same not-found on every method: %j',
    async (taskId) => {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const { status, body } = await send({ method, params: { taskId, inputResponses: {} } });
        expect([status, body.error?.code]).toEqual([200, -32602]);
        expect(body.error?.message).toMatch(/^No such task\..*Call the tool again\.$/);
      }
    },
  );
});

describe('an answer that violates the requested schema', () => {
  const misfits: readonly unknown[] = [
    { action: 'accept', content: { costCentre: SECRET } },
    { action: 'accept', content: { costCentre: 1_100 } },
    { action: 'maybe', content: {} },
    SECRET,
  ];

  it('is acknowledged, asked again with what was wrong, and in the end a tool error without an order', async () => {
    const taskId = await client.create('purchase_order', anAskingCall());
    let key = '';
    for (const misfit of misfits) {
      const asked = await untilAskedAgain(taskId, key);
      key = Object.keys(questionsOf(asked))[0] ?? '';
      const { body } = await send({ method: 'tasks/update', params: { taskId, inputResponses: { [key]: misfit } } });
      expect(body.result).toMatchObject({ resultType: 'complete' });
    }
    const ended = await client.until(taskId, ['completed'], PATIENCE_MS);
    expect(JSON.stringify(ended)).not.toContain(SECRET);
    expect(resultOf(ended)).toMatchObject({ isError: true });
    expect(textOf(resultOf(ended))).toMatch(/^No answer to ".*" could be used\. The last one: .+/);
    expect((await product.erp.state()).orders).toEqual([]);
  });

  async function untilAskedAgain(taskId: string, before: string): ReturnType<TaskClient['get']> {
    const asked = await client.until(taskId, ['input_required'], PATIENCE_MS);
    const [key = ''] = Object.keys(questionsOf(asked));
    expect(key).not.toBe(before);
    const text = JSON.stringify(asked);
    expect(text).not.toContain(SECRET);
    expect(text.includes('The last answer could not be used: ')).toBe(before !== '');
    return asked;
  }

  it.each([undefined, null, [], SECRET])('is refused when it is no object of answers: %j', async (inputResponses) => {
    const taskId = await client.create('purchase_order', anAskingCall());
    const { body } = await send({ method: 'tasks/update', params: { taskId, inputResponses } });
    expect(body.error).toEqual({
      code: -32602,
      message: 'params.inputResponses must be an object that holds the answers by their keys.',
    });
    await client.cancel(taskId);
  });
});

describe('a request document', () => {
  const HEADER = 'vendor,currency,cost_centre,description,quantity,unit_price\n';
  const row = (description: string): string => `${SECRET},EUR,1100,${description},1,9.90\n`;
  const utf16 = Buffer.from(HEADER + row('Chair'), 'utf16le').toString('latin1');
  const latin1 = Buffer.from(row('Stühle'), 'latin1').toString('utf8');

  it.each([
    [
      'JSON that is truncated',
      'json',
      `{"vendor": "${SECRET}", "lines": [{"descr`,
      /document, line 1: .*send it whole/,
    ],
    [
      'CSV that is truncated in a cell',
      'csv',
      `${HEADER}${SECRET},EUR,1100,"Chai`,
      /ends inside a quoted cell.*send it whole/,
    ],
    ['CSV that is truncated in a record', 'csv', `${HEADER}${SECRET},EUR,11`, /line 2: has not as many cells/],
    [
      'CSV that is truncated in its last amount',
      'csv',
      (HEADER + row('Chair')).trimEnd(),
      /line 2: the document may have been cut/,
    ],
    ['UTF-16', 'csv', utf16, /document, line 1: .*Save the file as UTF-8/],
    ['latin1', 'csv', HEADER + latin1, /document, line 2: .*Save the file as UTF-8/],
    [
      'a formula',
      'csv',
      `${HEADER}${row('"=HYPERLINK(""http://x.test"")"')}`,
      /line 2, column description: .*formula.*Write the plain text/,
    ],
    ['a formula behind a plus', 'csv', `${HEADER}${row('+cmd|calc')}`, /line 2, column description: .*formula/],
    ['nothing', 'json', '  ', /document: is empty/],
    ['the other format', 'json', HEADER + row('Chair'), /^document: this is not JSON\. .*name the format that it has/],
  ])('of %s is a tool error that says where and what to do, and no order', async (_what, format, text, fault) => {
    const taskId = await client.create('purchase_order', { document: { format, text } });
    const ended = await client.until(taskId, ['completed', 'failed', 'cancelled', 'input_required'], PATIENCE_MS);
    expect(resultOf(ended)).toMatchObject({ isError: true });
    expect(textOf(resultOf(ended))).toMatch(fault);
    expect(JSON.stringify(ended)).not.toContain(SECRET);
    expect(JSON.stringify(ended)).not.toMatch(INTERNAL);
    expect((await product.erp.state()).orders).toEqual([]);
  });
});

describe('capabilities of a wrong shape', () => {
  it.each([
    { extensions: { [TASKS_EXTENSION]: true } },
    { extensions: [TASKS_EXTENSION] },
    { extensions: SECRET },
    SECRET,
    [],
  ])('are refused or declare nothing: %j', async (capabilities) => {
    const { body } = await send({ method: 'tasks/get', params: { taskId: 'A'.repeat(22) }, capabilities });
    expect([-32602, -32021]).toContain(body.error?.code);
  });
});
