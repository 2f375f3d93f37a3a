/**
 * C07: finish and cancel in the same instant. The first terminal status that is seen never changes, and nothing about the
 * task changes after it.
 *
 * Effects that are cancelled while they happen: test/integration/lifecycle.test.ts and purchase-order.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { DetailedTask } from '../../../protocol/task.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { createTaskClient, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';
import { nothingForStrangers } from './support/strangers.ts';

const ROUNDS = 500;
const AT_ONCE = 100;
const WINDOW_MS = 50;
const READS = 10;
const WATCH_MS = 2_000;

let server: CaseServer;
let client: TaskClient;
/** Its journal takes no second ending, no return to life, no time that runs back. */
let other: TaskClient;

beforeAll(async () => {
  server = await openCaseServer();
  const [front, second] = await Promise.all([server.startFront(), server.startFront(), server.startWorker()]);
  client = createTaskClient(front.url);
  other = client.over(second.url);
}, 60_000);

async function round(workMs: number, cancelAfterMs: number): Promise<DetailedTask['status']> {
  const taskId = await client.create('work_for', { ms: workMs });
  await delay(cancelAfterMs);
  await client.cancel(taskId);
  const first = await client.until(taskId, ['completed', 'cancelled', 'failed'], 20_000);
  await Promise.all([client.cancel(taskId), other.cancel(taskId)]);
  await client.answer(taskId, { x: { action: 'accept', content: {} } });
  for (let read = 0; read < READS; read += 1) {
    await delay(WATCH_MS / READS);
    expect(await (read % 2 === 0 ? client : other).get(taskId)).toEqual(first);
  }
  if (first.status === 'completed') expect(textOf(resultOf(first))).toBe(`worked for ${String(workMs)} ms`);
  return first.status;
}

it(`a task ends once, in ${String(ROUNDS)} rounds of finish against cancel`, async () => {
  const random = seededRandom('finish against cancel');
  const endings: DetailedTask['status'][] = [];
  for (let done = 0; done < ROUNDS; done += AT_ONCE) {
    const rounds = Array.from({ length: AT_ONCE }, () => round(random.below(WINDOW_MS), random.below(2 * WINDOW_MS)));
    endings.push(...(await Promise.all(rounds)));
  }
  expect(endings).toHaveLength(ROUNDS);
  // A race that one side always wins would prove nothing.
  expect(new Set(endings)).toEqual(new Set(['completed', 'cancelled']));
}, 400_000);

nothingForStrangers(() => server);
