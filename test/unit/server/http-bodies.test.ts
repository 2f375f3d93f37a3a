import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROTOCOL_VERSION } from '../../../protocol/extension.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, headerLinesOf, headersOf, type McpRequest } from '../../support/mcp-request.ts';
import { rawHttp, rawPost, statusOf } from '../../support/raw-http.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront({ readTimeoutMs: 400 });
});
afterAll(async () => front.front.drain());

const greet: McpRequest = { method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } }, id: 7 };
const good = bodyOf(greet);

async function send(rawBody: string | Uint8Array, headers: McpRequest['headers'] = {}): Promise<unknown[]> {
  const { status, body } = await front.post({ ...greet, rawBody, headers });
  return [status, body.error?.code, body.id];
}
async function sendId(id: string): Promise<unknown[]> {
  return send(good.replace('"id":7', `"id":${id}`));
}

describe('request bodies', () => {
  it('serves a body with a byte order mark', async () => {
    expect(await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)]))).toEqual([
      200,
      undefined,
      7,
    ]);
  });

  it('refuses invalid UTF-8 instead of filling in a replacement character', async () => {
    const bytes = Buffer.from(good.replace('Ada', 'A#a'));
    bytes[bytes.indexOf('#')] = 0x97;
    expect(await send(bytes)).toEqual([400, -32700, undefined]);
    expect(await send(Buffer.from(good, 'utf16le'))).toEqual([400, -32700, undefined]);
  });

  it('refuses what is not JSON', async () => {
    expect(await send('')).toEqual([400, -32700, undefined]);
    expect(await send(good.slice(0, -10))).toEqual([400, -32700, undefined]);
    expect(await send('not json')).toEqual([400, -32700, undefined]);
  });

  it.each([
    ['an empty batch', '[]', undefined],
    ['a batch', `[${good}]`, undefined],
    ['a number', '42', undefined],
    ['null', 'null', undefined],
    ['a method that is no string', '{"jsonrpc":"2.0","id":7,"method":42}', 7],
    ['another version of JSON-RPC', good.replace('"2.0"', '"1.0"'), 7],
    // Its id is one that the client was given, and not one of its own requests.
    ['a response to what nobody asked', '{"jsonrpc":"2.0","id":7,"result":{}}', undefined],
    ['a response with a member that nobody may name so', '{"jsonrpc":"2.0","id":7,"result":{"__proto__":{}}}', 7],
    ['params that are a list', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}', 7],
  ])('refuses %s and echoes the id where it can be read', async (_, body, id) => {
    expect(await send(body)).toEqual([400, -32600, id]);
  });

  it.each([
    ['application/json; charset=utf-8', 200],
    ['application/json; charset="UTF-8"', 200],
    ['Application/JSON', 200],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
  ])('answers Content-Type %s with %i', async (type, status) => {
    const [answered] = await send(good, { 'content-type': type });
    expect(answered).toBe(status);
  });

  it('refuses a body without a media type, or with a content coding', async () => {
    const answer = await rawHttp(front.origin, rawPost(front.origin, [], good));
    expect(statusOf(answer)).toBe(415);
    expect(await send(good, { 'content-encoding': 'gzip' })).toEqual([415, -32600, undefined]);
  });

  it('refuses 5 MiB with a length and without one, and serves the next request', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024, 32);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(front.origin).host}\r\nContent-Type: application/json\r\n`;
    const withLength = await rawHttp(front.origin, `${head}Content-Length: ${String(large.length)}\r\n\r\n`, large);
    const chunked = await rawHttp(
      front.origin,
      `${head}Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n`,
      large,
      '\r\n0\r\n\r\n',
    );
    expect([withLength, chunked].map(statusOf)).toEqual([413, 413]);
    expect(chunked).toMatch(/connection: close/i);
    expect(await send(good)).toEqual([200, undefined, 7]);
  });

  it('refuses what is nested too deep, wherever it stands', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(await send(good.replace('"id":7', `"x":${deep},"id":7`))).toEqual([400, -32600, undefined]);
    expect(await send(good.replace('"Ada"', deep))).toEqual([400, -32600, undefined]);
    expect(await send(good.replace('"Ada"', `"${'[{'.repeat(500)}\\"["`))).toEqual([200, undefined, 7]);
  });

  it('refuses a member named __proto__, however it is spelled, and no value of that text', async () => {
    expect(await send(good.replace('"name":"Ada"', '"name":"Ada","__proto__":{"admin":true}'))).toEqual([
      400, -32600, 7,
    ]);
    expect(await send(good.replace('"name":"Ada"', '"name":"Ada","\\u005f_proto__":{}'))).toEqual([400, -32600, 7]);
    expect(await send(good.replace('Ada', '__proto__'))).toEqual([200, undefined, 7]);
  });

  it('serves each of several requests that come in one piece', async () => {
    const lines = headerLinesOf(greet);
    const [first, second] = [8, 9].map((id) => rawPost(front.origin, lines, bodyOf({ ...greet, id })));
    const answers = await rawHttp(front.origin, `${first!.replace('Connection: close\r\n', '')}${second!}`);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(answers.match(/"id":\d/g)).toEqual(['"id":8', '"id":9']);
  });

  it('serves a body that comes behind its headers, in pieces', async () => {
    const lines = headerLinesOf(greet);
    const [head, body] = rawPost(front.origin, lines, good).split('\r\n\r\n') as [string, string];
    const socket = connect(Number(new URL(front.origin).port), '127.0.0.1').setNoDelay(true);
    const answer = text(socket);
    for (const piece of [`${head}\r\n\r\n`, body.slice(0, 1), body.slice(1, 40), body.slice(40)]) {
      socket.write(piece);
      await turn();
      await turn();
    }
    expect(await answer).toContain('Hello, Ada!');
  });

  it.each([64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000])('serves a body of %i bytes', async (size) => {
    expect(await send(good.padEnd(size))).toEqual([200, undefined, 7]);
  });

  it('ends a request whose sender is too slow', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(front.origin).host}\r\nContent-Type: application/json\r\n`;
    const answer = await rawHttp(front.origin, `${head}Content-Length: 100\r\n\r\n{`);
    expect(statusOf(answer)).toBe(408);
  });

  it('outlives a client that leaves in the middle of its body', async () => {
    const control = new AbortController();
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"json')) });
    const sending = fetch(front.url, {
      method: 'POST',
      headers: headersOf(greet),
      body: stream,
      signal: control.signal,
      duplex: 'half',
    }).catch(() => 'left');
    setTimeout(() => control.abort(), 50);
    expect(await sending).toBe('left');
    await eventually(async () => (await front.post(greet)).status === 200);
  });
});

describe('request ids', () => {
  it.each(['7', '"1"', '1', '1774232524389', '""', '-3', '0'])('echoes %s with its type and digits', async (id) => {
    expect(await sendId(id)).toEqual([200, undefined, JSON.parse(id)]);
  });

  it.each(['null', '1.5', '{}', '[1]', 'true', '9007199254740993', '1e400'])('refuses %s', async (id) => {
    expect(await sendId(id)).toEqual([400, -32600, undefined]);
  });

  it('does nothing for a call without an id', async () => {
    const order = bodyOf({ method: 'tools/call', params: { name: 'order', arguments: { vendor: 'V' } }, id: 'gone' });
    expect(await send(order.replace('"id":"gone",', ''))).toEqual([400, -32600, undefined]);
    expect(front.store.entries.size).toBe(0);
  });

  it('takes a notification and answers 202', async () => {
    verifies('http.endpoint');
    const body = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': PROTOCOL_VERSION },
      body,
    });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('never crosses the answers of two requests with the same id', async () => {
    verifies('env.stateless');
    const [slow, fast] = await Promise.all([
      front.call('order', { vendor: 'slow' }, { id: 1 }),
      front.call('greet', { name: 'fast' }, { id: 1 }),
    ]);
    expect(slow.body.result.taskId).toBeDefined();
    expect(fast.body.result.content[0].text).toBe('Hello, fast!');
  });
});
