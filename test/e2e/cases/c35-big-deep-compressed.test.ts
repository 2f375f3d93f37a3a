/**
 * C35: bodies that are big, deep, compressed or slow, a hundred at once beside a client that polls. Each is refused at the
 * door with what is wrong, the poller notices nothing, and the front is as large as before.
 *
 * Each kind of body alone: test/unit/server/http-bodies.test.ts and test/e2e/bad-input.test.ts.
 */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DEFAULT_LIMITS } from '../../../server/limits/config.ts';
import { trackCreated } from '../../support/created-tasks.ts';
import { bodyOf, headerLinesOf, type McpAnswer, type McpRequest, post } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { rawHttp, statusOf } from '../../support/raw-http.ts';
import { meanwhile, runRounds } from '../../support/rounds.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { openCaseServer } from './support/case-server.ts';
import { patiently } from '../../support/patience.js';

const AT_ONCE = 100;
const MEGABYTE = 1024 * 1024;
const LARGEST_BODY_BYTES = 4 * MEGABYTE;
const SLOWEST_READ_MS = 5_000;
const MAX_GROWTH_BYTES = 200 * MEGABYTE;
const ENDS_WITHIN_MS = 20_000;

let front: RoleProcess;
let client: TaskClient;
let taskId: string;
let key: string;
let created: () => Promise<readonly string[]>;

beforeAll(async () => {
  const server = await openCaseServer();
  [front] = await Promise.all([server.startFront(), server.startWorker()]);
  client = createTaskClient(front.url);
  taskId = await client.create('ask_form', { form: 'approve' });
  key = Object.keys(questionsOf(await client.until(taskId, ['input_required'], ENDS_WITHIN_MS)))[0] ?? '';
  const temporal = await openTemporal();
  created = trackCreated(temporal.client, server.taskQueue, () => client.create('take_text', { text: 'marker' }));
  await created();
}, 60_000);

afterEach(async () => {
  expect(front.isRunning()).toBe(true);
  expect(await created()).toEqual([]);
  expect(Object.keys(questionsOf(await client.get(taskId)))).toEqual([key]);
});

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${String(front.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

/** Polls and measures while `flood` is on: every read is answered, none of them late, and the front stays small. */
async function besideAPoller<T>(flood: Promise<T>): Promise<T> {
  const before = await residentBytes();
  let slowestMs = 0;
  let peakBytes = before;
  const result = await meanwhile(flood, async () => {
    const startedAt = performance.now();
    expect((await client.get(taskId)).status).toBe('input_required');
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    peakBytes = Math.max(peakBytes, await residentBytes());
    await delay(20);
  });
  expect(slowestMs).toBeLessThan(patiently(SLOWEST_READ_MS));
  expect(peakBytes - before).toBeLessThan(MAX_GROWTH_BYTES);
  return result;
}

async function flood<T>(send: (index: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  await besideAPoller(
    runRounds(AT_ONCE, AT_ONCE, async (index) => {
      all.push(await send(index));
    }),
  );
  return all;
}

const call: McpRequest = { method: 'tools/call', params: { name: 'take_text', arguments: { text: 'x' } } };
const send = (rawBody: string | Uint8Array, headers: McpRequest['headers'] = {}): Promise<McpAnswer> =>
  post(`${front.url}/mcp`, { ...call, rawBody, headers });
const head = (...lines: readonly string[]): string => {
  const all = headerLinesOf(call);
  return ['POST /mcp HTTP/1.1', `Host: ${new URL(front.url).host}`, ...all, ...lines, '', ''].join('\r\n');
};
/** A request whose body is still to be sent, and all that comes back until the connection ends. */
const open = (...lines: readonly string[]): { readonly socket: Socket; readonly answer: Promise<string> } => {
  const socket = connect(front.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => (received += data.toString())).on('error', () => undefined);
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  socket.write(head(...lines));
  return { socket, answer };
};
const refusals = (answers: readonly McpAnswer[]): Set<string> =>
  new Set(answers.map(({ status, body }) => `${String(status)} ${String(body.error?.code)}`));

describe('a hundred at once', () => {
  it('bodies of 5 MiB are refused, with their length and without', async () => {
    const large = Buffer.alloc(5 * MEGABYTE, 32);
    const chunk = [`${large.length.toString(16)}\r\n`, large, '\r\n0\r\n\r\n'];
    const answers = await flood(async (index) => {
      const hasLength = index % 2 === 0;
      const answer = hasLength
        ? await rawHttp(front.url, head(`Content-Length: ${String(large.length)}`), large)
        : await rawHttp(front.url, head('Transfer-Encoding: chunked'), ...chunk);
      return { hasLength, status: statusOf(answer) };
    });
    const statuses = (hasLength: boolean): Set<number> =>
      new Set(answers.filter((answer) => answer.hasLength === hasLength).map(({ status }) => status));
    expect(statuses(true)).toEqual(new Set([413]));
    // Without a length nobody knows before it is read: together they may be more than there is room for.
    expect([...statuses(false)].filter((status) => status !== 413 && status !== 503)).toEqual([]);
  }, 60_000);

  it('bodies that are nested ten thousand deep, wherever they are, are refused', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}${' '.repeat(180_000)}`;
    const update = { method: 'tasks/update', params: { taskId, inputResponses: { [key]: '#' } } };
    const bodies = [
      bodyOf(call).replace('"id":1', `"x":${deep},"id":1`),
      bodyOf(call).replace('"text":"x"', `"text":${deep}`),
      bodyOf(update).replace('"#"', `{"action":"accept","content":{"approve":${deep}}}`),
    ];
    const answers = await flood((index) => send(bodies[index % bodies.length] ?? ''));
    expect(refusals(answers)).toEqual(new Set(['400 -32600']));
  });

  it('bodies that are compressed are refused unopened', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE, 32), { level: 9 });
    const answers = await flood((index) => send(bomb, { 'content-encoding': index % 2 === 0 ? 'gzip' : 'br, gzip' }));
    expect(refusals(answers)).toEqual(new Set(['415 -32600']));
    expect(answers[0]?.headers.get('accept-encoding')).toBe('identity');
  }, 60_000);

  it('bodies that trickle in are given up, one byte at a time', async () => {
    const answers = await flood(async () => {
      const { socket, answer } = open('Content-Length: 1000000');
      const timer = setInterval(() => socket.write(' '), 5_000);
      return answer.finally(() => clearInterval(timer));
    });
    expect(new Set(answers.map(statusOf))).toEqual(new Set([408]));
  }, 60_000);

  it('bodies that are large and never end are read as far as there is room, and the others are told to come back', async () => {
    const large = Buffer.alloc(LARGEST_BODY_BYTES, 32);
    const answers = await flood(async () => {
      const { socket, answer } = open(`Content-Length: ${String(large.length)}`);
      socket.write(large.subarray(1));
      return answer;
    });
    const statuses = answers.map(statusOf);
    expect(new Set(statuses)).toEqual(new Set([408, 503]));
    const heldCount = statuses.filter((status) => status === 408).length;
    expect(heldCount * LARGEST_BODY_BYTES).toBeLessThanOrEqual(DEFAULT_LIMITS.bodyBytesAtOnce);
    const busy = answers.find((answer) => statusOf(answer) === 503);
    expect(busy).toMatch(/^retry-after: 2\r$/im);
    expect(busy).toContain('The server is reading as many large bodies as it can.');
  }, 60_000);
});

describe('an update of a hundred thousand answers', () => {
  const update = (count: number, each: object): McpRequest => {
    const many = Array.from({ length: count }, (_, index): [string, object] => [`k${String(index)}`, each]);
    const inputResponses = Object.fromEntries([...many, [key, { action: 'accept', content: { approve: true } }]]);
    return { method: 'tasks/update', params: { taskId, inputResponses } };
  };

  it.each([{ action: 'cancel' }, {}])(
    'is refused before it costs anything, twenty times at once: %j',
    async (each) => {
      const request = update(100_000, each);
      const rawBody = bodyOf(request);
      const answers: McpAnswer[] = [];
      await besideAPoller(
        runRounds(20, 20, async () => {
          answers.push(await post(`${front.url}/mcp`, { ...request, rawBody }));
        }),
      );
      expect(refusals(answers)).toEqual(new Set(['400 -32600']));
      expect(answers[0]?.body.error?.message).toBe('The request holds more than 10000 values.');
    },
    60_000,
  );

  it('or of two thousand is refused whole, with how many are taken', async () => {
    const { status, body } = await post(`${front.url}/mcp`, update(2_000, { action: 'cancel' }));
    expect([status, body.error]).toEqual([
      200,
      { code: -32602, message: 'params.inputResponses may hold at most 1000 answers.' },
    ]);
  });
});
