/** What all bodies together may hold that a front is reading, over real HTTP. */
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { bodyOf, headerLinesOf, type McpAnswer, type McpRequest } from '../../support/mcp-request.ts';
import { readMetric } from '../../support/metrics.ts';
import { statusOf } from '../../support/raw-http.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

const MEBIBYTE = 1024 * 1024;
const AT_ONCE = 4 * MEBIBYTE;
const LARGE = 3 * MEBIBYTE;

const greet: McpRequest = { method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } }, id: 7 };

let front: TestFront;
beforeEach(async () => {
  front = await startTestFront({ limits: { bodyBytesAtOnce: AT_ONCE } });
  atScopeEnd(() => front.front.drain());
});

/** A request whose sender has stopped before its last byte. */
interface HalfSent {
  readonly socket: Socket;
  finish(): void;
  isAnswered(): boolean;
  readonly answer: Promise<string>;
}

function sendHalf(): HalfSent {
  const { hostname, port, host } = new URL(front.origin);
  const socket = connect(Number(port), hostname);
  atScopeEnd(async () => void socket.destroy());
  let received = '';
  socket.on('data', (data) => (received += data.toString())).on('error', () => undefined);
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  const body = bodyOf(greet).padEnd(LARGE);
  const headers = headerLinesOf(greet);
  const lines = [`Host: ${host}`, 'Connection: close', `Content-Length: ${String(body.length)}`, ...headers];
  socket.write(['POST /mcp HTTP/1.1', ...lines, '', body.slice(0, -1)].join('\r\n'));
  return { socket, answer, finish: () => socket.write(' '), isAnswered: () => received !== '' };
}

const large = (): Promise<McpAnswer> => front.post({ ...greet, rawBody: bodyOf(greet).padEnd(LARGE) });
const small = (): Promise<McpAnswer> => front.post({ ...greet, rawBody: bodyOf(greet).padEnd(64 * 1024) });
const isServed = async (send: () => Promise<McpAnswer>): Promise<boolean> => (await send()).status === 200;

/**
 * One large body that the front holds to its last byte but one, and the answer to another one. The other is the smallest
 * that does not fit beside it, so that it is refused only when the whole of the held one has come.
 */
async function fillUp(): Promise<{ readonly held: HalfSent; readonly refused: McpAnswer }> {
  const tooLarge = bodyOf(greet).padEnd(AT_ONCE - LARGE + 2);
  let held = sendHalf();
  const refused = await eventually(async () => {
    if (held.isAnswered()) held = sendHalf();
    const answer = await front.post({ ...greet, rawBody: tooLarge });
    return answer.status === 503 && answer;
  });
  return { held, refused };
}

describe('bodies that are being read', () => {
  it('are refused with 503 beyond what all of them may hold, with when to come back', async () => {
    const { refused } = await fillUp();
    const { body, headers } = refused;
    expect(body.error).toEqual({
      code: -32603,
      message: 'The server is reading as many large bodies as it can. Try again in 2 s.',
    });
    expect([headers.get('retry-after'), headers.get('connection')]).toEqual(['2', 'close']);
    const refusals = await readMetric(front.origin, 'mcp_limit_refusals_total', { limit: 'body_bytes' });
    expect(refusals).toBeGreaterThanOrEqual(1);
  });

  it('pass when they are small, however full it is', async () => {
    await fillUp();
    expect(await isServed(small)).toBe(true);
  });

  it('hold no more than their bytes, in however small pieces they come', async () => {
    const { hostname, port, host } = new URL(front.origin);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    atScopeEnd(async () => void socket.destroy());
    const headers = headerLinesOf(greet);
    socket.write(
      ['POST /mcp HTTP/1.1', `Host: ${host}`, 'Transfer-Encoding: chunked', ...headers, '', ''].join('\r\n'),
    );
    const before = heldBytes();
    for (let round = 0; round < 30; round += 1) {
      await new Promise((resolve) => socket.write('1\r\n \r\n'.repeat(10_000), resolve));
    }
    // The front reads from both connections in turn: after so many answers it has read all of the pieces.
    for (let turn = 0; turn < 50; turn += 1) expect(await isServed(small)).toBe(true);
    expect(heldBytes() - before).toBeLessThan(16 * MEBIBYTE);
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    const body = bodyOf(greet);
    socket.write(`${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(statusOf(await answer)).toBe(200);
  });

  it('make room when they have come', async () => {
    const { held } = await fillUp();
    held.finish();
    expect(statusOf(await held.answer)).toBe(200);
    expect(await isServed(large)).toBe(true);
  });

  it('make room when their sender leaves', async () => {
    const { held } = await fillUp();
    held.socket.destroy();
    await eventually(() => isServed(large));
  });

  it('make room when they are refused', async () => {
    const { held } = await fillUp();
    for (let sent = 0; sent < 3; sent += 1) expect((await large()).status).toBe(503);
    held.finish();
    await held.answer;
    expect(await isServed(large)).toBe(true);
  });
});
