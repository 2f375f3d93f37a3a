/**
 * C07: finish and cancel in the same instant. The first terminal status that is seen never changes, nothing about the task
 * changes after it, and it is the last thing that a listener is told.
 *
 * Effects that are cancelled while they happen: test/integration/lifecycle.test.ts and purchase-order.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal, type DetailedTask } from '../../../protocol/task.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import { runRounds } from '../../support/rounds.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { createTaskClient, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';
import { nothingForStrangers } from './support/strangers.ts';

const ROUNDS = 500;
/** More creates at once than this, beside other test files on two processors, and Temporal leaves some waiting past 5 s. */
const AT_ONCE = 40;
const WINDOW_MS = 50;
const READS = 10;
const WATCH_MS = 2_000;

let server: CaseServer;
let client: TaskClient;
/** Its journal takes no second ending, no return to life, no time that runs back. */
let other: TaskClient;
let listenUrl: string;

beforeAll(async () => {
  server = await openCaseServer();
  const [front, second] = await Promise.all([server.startFront(), server.startFront(), server.startWorker()]);
  client = createTaskClient(front.url);
  other = client.over(second.url);
  listenUrl = `${second.url}/mcp`;
}, 60_000);

async function round(workMs: number, cancelAfterMs: number): Promise<DetailedTask['status']> {
  const taskId = await client.create('work_for', { ms: workMs });
  const [stream] = await Promise.all([
    listen(listenUrl, [taskId]),
    delay(cancelAfterMs).then(() => client.cancel(taskId)),
  ]);
  await eventually(() => isTerminal(stream.told(taskId).at(-1)?.status ?? 'working'), 20_000);
  const first = await client.get(taskId);
  await Promise.all([client.cancel(taskId), other.cancel(taskId)]);
  await client.answer(taskId, { x: { action: 'accept', content: {} } });
  for (let read = 0; read < READS; read += 1) {
    await delay(WATCH_MS / READS);
    expect(await (read % 2 === 0 ? client : other).get(taskId)).toEqual(first);
  }
  expect(first).toEqual(stream.told(taskId).at(-1));
  stream.close();
  if (first.status === 'completed') expect(textOf(resultOf(first))).toBe(`worked for ${String(workMs)} ms`);
  return first.status;
}

it(`a task ends once, in ${String(ROUNDS)} rounds of finish against cancel`, async () => {
  const random = seededRandom('finish against cancel');
  const endings: DetailedTask['status'][] = [];
  await runRounds(ROUNDS, AT_ONCE, async () => {
    endings.push(await round(random.below(WINDOW_MS), random.below(2 * WINDOW_MS)));
  });
  expect(endings).toHaveLength(ROUNDS);
  // A race that one side always wins would prove nothing.
  expect(new Set(endings)).toEqual(new Set(['completed', 'cancelled']));
}, 400_000);

nothingForStrangers(() => server);
