/** Clients that are slow, half gone or gone, and a server that stops. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import { bodyOf, headerLinesOf } from '../../support/mcp-request.ts';
import { rawPost } from '../../support/raw-http.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';
import { patiently } from '../../support/patience.js';

const BLOCKED_MS = 2_000;
const MIB = 1_024 * 1_024;

let front: TestFront;
let sockets: Socket[];
beforeEach(async () => {
  front = await startTestFront({ listenLimits: { keepAliveMs: 50, blockedMs: BLOCKED_MS } });
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await front.front.drain();
});

async function aTask(): Promise<string> {
  const { body } = await front.call('required_job');
  return body.result.taskId;
}
async function openStreams(): Promise<number> {
  const text = await (await fetch(`${front.origin}/metrics`)).text();
  return Number(/^mcp_task_streams_open (\d+)$/m.exec(text)?.[1]);
}
async function untilNobodyListens(): Promise<void> {
  await eventually(async () => front.store.watcherCount === 0 && (await openStreams()) === 0, 20_000);
}
/** Sends the request and reads nothing, unless told to. */
function listenRaw(taskIds: readonly string[]): Socket {
  const request = { method: 'subscriptions/listen', params: { notifications: { taskIds } } };
  const lines = headerLinesOf(request);
  const { hostname, port } = new URL(front.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(rawPost(front.origin, lines, bodyOf(request)));
  sockets.push(socket);
  return socket;
}

describe('a stream of task notifications', () => {
  it('carries comments while nothing happens, which no client takes for a message', async () => {
    verifies('http.sse');
    const stream = await listen(front.url, [await aTask()]);
    await eventually(() => stream.comments.length >= 3);
    expect(new Set(stream.comments)).toEqual(new Set([': keepalive']));
    expect(stream.frames).toHaveLength(2);
    stream.close();
  });

  it('is cut off when its client does not read, and keeps nothing for it meanwhile', async () => {
    const taskId = await aTask();
    const socket = listenRaw([taskId]);
    await eventually(() => front.store.watcherCount === 1);
    const before = process.memoryUsage();
    // More than any buffer of the operating system holds, many times over.
    for (let count = 0; count < 400; count += 1) {
      for (let part = 0; part < 10; part += 1) {
        front.store.report(taskId, `${String(count)}.${String(part)} `.repeat(10_000));
      }
      await new Promise(setImmediate);
    }
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(64 * MIB);
    await untilNobodyListens();
    socket.resume();
    await eventually(() => socket.closed);
  });

  it('is not cut off when its client is slow but reads, and tells it the end', async () => {
    const [one, two] = [await aTask(), await aTask()];
    const socket = listenRaw([one, two]);
    await eventually(() => front.store.watcherCount === 2);
    front.store.finishWithText(one, 'x'.repeat(4 * MIB));
    front.store.finishWithText(two, 'y'.repeat(4 * MIB));
    let text = '';
    socket.on('data', (chunk) => {
      text = (text + chunk.toString()).slice(-1_000);
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    await eventually(() => socket.readableEnded, 20_000);
    expect(text).toContain('"resultType":"complete","_meta"');
  });

  it('ends when its client closes its half of the connection', async () => {
    const taskId = await aTask();
    const socket = listenRaw([taskId]);
    socket.resume();
    await eventually(() => front.store.watcherCount === 1);
    socket.end();
    await untilNobodyListens();
    await eventually(() => socket.closed);
  });

  it('is not opened for a client that left while its tasks were looked up', async () => {
    const taskIds = await Promise.all(Array.from({ length: 20 }, aTask));
    const socket = listenRaw(taskIds);
    await eventually(() => socket.bytesWritten > 0);
    socket.resetAndDestroy();
    await untilNobodyListens();
  });

  it('leaves nothing behind after three hundred were opened and dropped', async () => {
    const taskIds = await Promise.all(Array.from({ length: 5 }, aTask));
    const resources = (): number =>
      process.getActiveResourcesInfo().filter((name) => /^(Timeout|TCPSocketWrap)$/.test(name)).length;
    const first = await listen(front.url, taskIds);
    first.close();
    await untilNobodyListens();
    const before = resources();
    for (let round = 0; round < 30; round += 1) {
      const streams = await Promise.all(Array.from({ length: 10 }, () => listen(front.url, taskIds)));
      for (const stream of streams) stream.close();
    }
    await untilNobodyListens();
    await eventually(() => resources() <= before + 2);
    expect(front.store.entries.size).toBe(5);
  }, 60_000);

  it('ends with its result when the server stops, without a task being touched', async () => {
    verifies('listen.end');
    const taskId = await aTask();
    const [quiet, stuck] = [await listen(front.url, [taskId], { id: 'q' }), listenRaw([taskId])];
    await eventually(() => front.store.watcherCount === 2);
    const text = 'x'.repeat(16 * MIB);
    front.store.report(taskId, text);
    // The last state is told, and may be the only one.
    await eventually(() => quiet.told(taskId).at(-1)?.statusMessage === text, 20_000);
    const startedAt = performance.now();
    await front.front.drain();
    expect(performance.now() - startedAt).toBeLessThan(patiently(3_000));
    expect(await quiet.ended).toBe('end');
    expect(quiet.frames.at(-1)).toMatchObject({ id: 'q', result: { resultType: 'complete' } });
    expect(front.store.watcherCount).toBe(0);
    expect(front.store.entries.get(taskId)?.cancelReason).toBeUndefined();
    stuck.resume();
    await eventually(() => stuck.closed);
  });
});
