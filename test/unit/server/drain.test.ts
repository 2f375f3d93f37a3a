import { Agent, request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCatalog, defineTool, toolResult } from '../../../workflows/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, headersOf } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { patiently } from '../../support/patience.js';

/** After the budget the connections are cut; what a busy machine needs on top. */
const A_LITTLE_MS = patiently(1_500);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Names whose call the server has begun, and how to let each go. */
let atWork: Map<string, () => void>;
/** One connection, kept between two requests. */
let kept: Agent;
const fronts: TestFront[] = [];

beforeEach(() => {
  atWork = new Map();
  kept = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  kept.destroy();
  atWork.forEach((letGo) => letGo());
  await Promise.all(fronts.splice(0).map(({ front }) => front.drain()));
});

async function startFront(drainMs: number): Promise<TestFront> {
  const work = defineTool({
    name: 'work',
    title: 'Work',
    description: 'Takes until the test lets it go.',
    task: 'never',
    input: (z) => z.object({ name: z.string() }),
    run: async ({ name }) => {
      await new Promise<void>((letGo) => atWork.set(name, letGo));
      return toolResult(`did ${name}`);
    },
  });
  const front = await startTestFront({ drainMs }, createCatalog([work]));
  fronts.push(front);
  return front;
}

const callOf = (name: string): { headers: Record<string, string>; body: string } => {
  const call = { method: 'tools/call', params: { name: 'work', arguments: { name } }, id: name };
  const body = bodyOf(call);
  return { headers: { ...headersOf(call), 'content-length': String(Buffer.byteLength(body)) }, body };
};

/** Sends the head and the first part of a call; the caller sends the rest. */
function begin(front: TestFront, name: string, agent?: Agent): { sending: ClientRequest; answer: Promise<Answer> } {
  const sending = httpRequest(front.url, { method: 'POST', headers: callOf(name).headers, ...(agent && { agent }) });
  const answer = new Promise<Answer>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
  });
  // Awaited later than it may break.
  answer.catch(() => undefined);
  sending.write(callOf(name).body.slice(0, 10));
  return { sending, answer };
}

function send(front: TestFront, name: string, agent?: Agent): Promise<Answer> {
  const { sending, answer } = begin(front, name, agent);
  sending.end(callOf(name).body.slice(10));
  return answer;
}

const untilAtWork = (name: string): Promise<boolean> => eventually(() => atWork.has(name));
const letGo = (name: string): void => atWork.get(name)?.();
const isListening = (front: TestFront): Promise<boolean> =>
  fetch(`${front.origin}/healthz`).then(
    () => true,
    () => false,
  );

/** A connection that has carried one request and waits for the next. */
async function warmUp(front: TestFront): Promise<void> {
  const first = send(front, 'first', kept);
  await untilAtWork('first');
  letGo('first');
  expect((await first).headers.connection).toBe('keep-alive');
}

/** In how many ms. */
async function drainTime(front: TestFront): Promise<number> {
  const startedAt = performance.now();
  await front.front.drain();
  return performance.now() - startedAt;
}

describe('a drain', () => {
  it('waits for a request that came on a kept connection after it began, and then closes that connection', async () => {
    const front = await startFront(10_000);
    await warmUp(front);
    const early = send(front, 'early');
    await untilAtWork('early');
    const drained = front.front.drain();
    const late = send(front, 'late', kept);
    await untilAtWork('late');
    letGo('early');
    expect((await early).status).toBe(200);
    // Whoever waits only for what there was at first would cut the late one off now.
    await expect(Promise.race([drained.then(() => 'drained'), stillListens(front)])).resolves.toBe('still listens');
    letGo('late');
    const { status, headers, text } = await late;
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(text).toContain('did late');
    await drained;
    expect(await isListening(front)).toBe(false);
  });

  it('waits for a request of which it has only a part when it begins', async () => {
    const front = await startFront(10_000);
    const { sending, answer } = begin(front, 'half-sent');
    await eventually(() => sending.socket?.bytesWritten !== undefined && sending.socket.bytesWritten > 200);
    // Answered behind the first part, so that the server has that.
    expect(await isListening(front)).toBe(true);
    const drained = front.front.drain();
    sending.end(callOf('half-sent').body.slice(10));
    await untilAtWork('half-sent');
    letGo('half-sent');
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(text).toContain('did half-sent');
    await drained;
  });

  it('ends within its budget though a late request does not, and says so to whoever sent that', async () => {
    const front = await startFront(400);
    await warmUp(front);
    const early = send(front, 'early');
    await untilAtWork('early');
    const drained = drainTime(front);
    const late = send(front, 'late', kept);
    for (const answer of [await early, await late]) expectStopping(answer);
    expect(await drained).toBeLessThan(400 + A_LITTLE_MS);
  });

  it('refuses what comes whole only after its budget', async () => {
    const front = await startFront(200);
    const { sending, answer } = begin(front, 'half-sent');
    expect(await isListening(front)).toBe(true);
    const drained = drainTime(front);
    await eventually(async () => !(await isListening(front)));
    sending.end(callOf('half-sent').body.slice(10));
    expectStopping(await answer);
    expect(atWork.size).toBe(0);
    expect(await drained).toBeLessThan(200 + A_LITTLE_MS);
  });
});

async function stillListens(front: TestFront): Promise<string> {
  for (let times = 0; times < 20; times += 1) {
    if (!(await isListening(front))) return 'listens no more';
  }
  return 'still listens';
}

function expectStopping({ status, headers, text }: Answer): void {
  expect(status).toBe(503);
  expect(headers['retry-after']).toBe('1');
  expect(JSON.parse(text)).toMatchObject({
    jsonrpc: '2.0',
    id: expect.stringMatching(/early|late|half-sent/),
    error: { code: -32603, message: expect.stringMatching(/^The server is stopping\./) },
  });
}
