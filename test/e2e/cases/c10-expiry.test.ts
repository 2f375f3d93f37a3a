/**
 * C10: expiry on every method, long ttl, clocks that are wrong. Temporal's clock alone decides when a task expires.
 *
 * Expiry with all workers down, in every order of timer, cancel and answer: test/e2e/ending-orders.test.ts.
 * Results after their retention: test/integration/task-store.test.ts. A tool cannot ask for an endless ttl: `ttlMs` is a
 * number, and left out it is 24 h.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import type { Child } from '../../support/child.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';
import { verifies } from '../../support/verifies.ts';
import { nothingForStrangers } from './support/strangers.ts';

const CLOCK = pathToFileURL(fileURLToPath(new URL('./support/shifted-clock.js', import.meta.url))).href;
const HOUR_MS = 3_600_000;
/** From the deadline to the end: a timer of Temporal is up to a second late. */
const ENDED_WITHIN_MS = 10_000;

let server: CaseServer;
let front: RoleProcess;
let worker: Child;
let client: TaskClient;
let longLived: readonly { taskId: string; key: string }[];

beforeAll(async () => {
  server = await openCaseServer();
  [front, worker] = await Promise.all([server.startFront(), server.startWorker()]);
  client = createTaskClient(front.url);
  longLived = await Promise.all(['ask_30_days', 'ask_60_days'].map((tool) => waiting(tool)));
}, 60_000);

function frontWithClock(shiftMs: number, stepMs = 0): Promise<RoleProcess> {
  return server.startFront({
    NODE_OPTIONS: `--import ${CLOCK}`,
    CLOCK_SHIFT_MS: String(shiftMs),
    CLOCK_STEP_MS: String(stepMs),
  });
}

/** A task that waits for its caller. */
async function waiting(tool: string, by = client): Promise<{ taskId: string; key: string }> {
  const taskId = await by.create(tool, {});
  const task = await by.until(taskId, ['input_required'], 10_000);
  return { taskId, key: Object.keys(questionsOf(task))[0] ?? '' };
}

/** One that lives for two seconds. On a slow machine it may be over before it is seen to ask: then another one. */
function waitingBriefly(by = client): Promise<{ taskId: string; key: string }> {
  return eventually(async () => {
    const taskId = await by.create('ask_2_seconds', {});
    const [key] = Object.keys(questionsOf(await by.until(taskId, ['input_required', 'failed'], 10_000)));
    return key !== undefined && { taskId, key };
  }, 20_000);
}

const ACCEPT = { action: 'accept', content: { yes: true } };

describe('a task of two seconds', () => {
  it('is over for get, update, cancel and who listens alike, and a late accept approves nothing', async () => {
    verifies('time.expired');
    const { taskId, key } = await waitingBriefly();
    const stream = await listen(`${front.url}/mcp`, [taskId]);
    // Temporal's clock says so.
    await client.until(taskId, ['working', 'failed'], ENDED_WITHIN_MS);
    const [seen] = await Promise.all([
      client.get(taskId),
      client.answer(taskId, { [key]: ACCEPT }),
      client.cancel(taskId),
    ]);
    expect(['working', 'failed']).toContain(seen.status);
    const ended = await client.until(taskId, ['failed', 'completed', 'cancelled'], ENDED_WITHIN_MS);
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: expect.stringMatching(/^The task expired at .*Call the tool again\.$/) },
    });
    await eventually(() => stream.told(taskId).at(-1)?.status === ended.status, ENDED_WITHIN_MS);
    expect(ended).toEqual(stream.told(taskId).at(-1));
    stream.close();
    await client.answer(taskId, { [key]: ACCEPT });
    await client.cancel(taskId);
    expect(await client.get(taskId)).toEqual(ended);
  }, 60_000);
});

describe('a front whose clock is wrong', () => {
  // The task lives for a minute: on a clock 90 s ahead it has expired before it is made.
  it.each([
    ['90 s ahead', 90_000],
    ['an hour behind', -HOUR_MS],
  ])(
    'by %s neither expires a task nor loses its answer',
    async (_how, shiftMs) => {
      const wrong = client.over((await frontWithClock(shiftMs)).url);
      for (const [by, reader] of [
        [wrong, client],
        [client, wrong],
        [wrong, wrong],
      ] as const) {
        const { taskId, key } = await waiting('ask_1_minute', by);
        const seen = await reader.get(taskId);
        expect(seen.status).toBe('input_required');
        expect(Date.parse(seen.createdAt)).toBeLessThanOrEqual(Date.parse(seen.lastUpdatedAt));
        await reader.answer(taskId, { [key]: ACCEPT });
        const ended = await by.until(taskId, ['completed', 'failed', 'cancelled'], 10_000);
        expect(textOf(resultOf(ended))).toBe('approved: accept');
        expect(Date.parse(ended.createdAt)).toBeLessThanOrEqual(Date.parse(ended.lastUpdatedAt));
        expect([ended.ttlMs, ended.pollIntervalMs].every(Number.isInteger)).toBe(true);
      }
    },
    60_000,
  );

  it.each([90_000, -HOUR_MS])(
    'by %i ms expires a task when Temporal does',
    async (shiftMs) => {
      const wrong = client.over((await frontWithClock(shiftMs)).url);
      const { taskId, key } = await waitingBriefly(wrong);
      const ended = await wrong.until(taskId, ['failed'], ENDED_WITHIN_MS);
      await wrong.answer(taskId, { [key]: ACCEPT });
      expect(await client.get(taskId)).toEqual(ended);
    },
    60_000,
  );

  it('takes a cancel', async () => {
    const wrong = client.over((await frontWithClock(90_000)).url);
    const { taskId } = await waiting('ask_1_minute');
    await wrong.cancel(taskId);
    expect((await client.until(taskId, ['cancelled', 'failed'], 10_000)).status).toBe('cancelled');
  });

  it('set back one hour in mid-task goes on serving it, and its times never go back', async () => {
    const setBack = await frontWithClock(0, -HOUR_MS);
    const there = client.over(setBack.url);
    const { taskId, key } = await waiting('ask_1_minute', there);
    setBack.signal('SIGWINCH');
    await eventually(async () => {
      const later = await there.get(await there.create('ask_1_minute', {}));
      return Date.parse(later.createdAt) < Date.now() - HOUR_MS / 2;
    });
    const before = await there.get(taskId);
    await there.answer(taskId, { [key]: ACCEPT });
    const ended = await there.until(taskId, ['completed', 'failed', 'cancelled'], 10_000);
    expect(textOf(resultOf(ended))).toBe('approved: accept');
    expect(Date.parse(ended.lastUpdatedAt)).toBeGreaterThanOrEqual(Date.parse(before.lastUpdatedAt));
  }, 30_000);
});

describe('a task of thirty or sixty days', () => {
  it('is alive after a minute, with whole numbers, and no timer overflows anywhere', async () => {
    verifies('time.integer');
    const [first] = await Promise.all(longLived.map(({ taskId }) => client.get(taskId)));
    // The tests above take most of it.
    await eventually(() => Date.now() > Date.parse(first?.createdAt ?? '') + 60_000, 60_000);
    const seen = await Promise.all(longLived.map(({ taskId }) => client.get(taskId)));
    expect(seen.map(({ status }) => status)).toEqual(['input_required', 'input_required']);
    expect(seen.map(({ ttlMs }) => ttlMs)).toEqual([30 * 24 * HOUR_MS, 60 * 24 * HOUR_MS]);
    for (const { ttlMs, pollIntervalMs } of seen) expect([ttlMs, pollIntervalMs].every(Number.isInteger)).toBe(true);
    expect(front.output() + worker.output()).not.toContain('TimeoutOverflowWarning');
    for (const { taskId, key } of longLived) {
      await client.answer(taskId, { [key]: ACCEPT });
      expect(textOf(resultOf(await client.until(taskId, ['completed'], 10_000)))).toBe('approved: accept');
    }
  }, 90_000);
});

nothingForStrangers(() => server);
