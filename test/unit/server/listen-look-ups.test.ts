import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, headersOf } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

let front: TestFront;
/** The signals of the look-ups that the store has begun, and how many of these have ended. */
let begun: AbortSignal[];
let endedCount: number;
let answer: () => void;

beforeEach(async () => {
  begun = [];
  endedCount = 0;
  front = await startTestFront();
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const watch = front.store.watch.bind(front.store);
  front.store.watch = async function* (caller, taskId, signal) {
    begun.push(signal);
    try {
      await answered;
      yield* watch(caller, taskId, signal);
    } finally {
      endedCount += 1;
    }
  };
});
afterEach(async () => {
  answer();
  await front.front.drain();
});

const TASK_IDS = Array.from({ length: 1_000 }, (_, index) => `A${String(index).padStart(21, '0')}`);
/** More at once would be too much to ask of a store, fewer would make a large subscription slow. */
const AT_ONCE = 32;

function subscribe(signal?: AbortSignal): Promise<unknown> {
  const request = { method: 'subscriptions/listen', params: { notifications: { taskIds: TASK_IDS } } };
  const init = { method: 'POST', headers: headersOf(request), body: bodyOf(request), signal };
  return fetch(front.url, init).then((response) => response.text());
}

async function untilBegun(): Promise<void> {
  await eventually(() => begun.length === AT_ONCE);
}

describe('the look-ups of a subscription', () => {
  it('stop when the client leaves among them', async () => {
    const client = new AbortController();
    const left = subscribe(client.signal).catch(() => 'left');
    await untilBegun();
    client.abort();
    expect(await left).toBe('left');
    await eventually(() => begun.every(({ aborted }) => aborted));
    answer();
    await eventually(() => endedCount >= AT_ONCE);
    // A round trip later, whatever was to follow has followed.
    expect((await front.call('greet', { name: 'Ada' })).status).toBe(200);
    expect(begun).toHaveLength(AT_ONCE);
    expect(front.store.watcherCount).toBe(0);
  });

  it('stop when the server stops among them, and the stream ends with its result', async () => {
    const stream = subscribe();
    await untilBegun();
    const drained = front.front.drain();
    answer();
    expect(await stream).toContain('"resultType":"complete"');
    await drained;
    expect(begun).toHaveLength(AT_ONCE);
  });

  it('are made for every id when nobody leaves', async () => {
    const stream = subscribe();
    await untilBegun();
    answer();
    expect(await stream).toContain('"resultType":"complete"');
    expect(begun).toHaveLength(TASK_IDS.length);
  });
});
