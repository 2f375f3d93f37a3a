/** G6: eight readers over two fronts see an acknowledged answer at once, with workers up and with workers down. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { anAskingCall, kill9, openProduct, type Product } from '../support/product.ts';
import type { RoleProcess } from '../support/processes.ts';
import { runRounds } from '../support/rounds.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../support/task-client.ts';

const ROUNDS_UP = 500;
const ROUNDS_DOWN = 500;
const READERS = 8;
/** A first question and three repetitions: so often a task asks when no answer fits. */
const ANSWERS_PER_TASK = 4;
const CREATES_AT_ONCE = 25;
const SETTLES_WITHIN_MS = 60_000;
const SETUP_MS = 150_000;
const TEST_MS = 240_000;

/** It fits no option, so that the task asks again under a new key. */
const MISFIT: JsonObject = { action: 'accept', content: { costCentre: 'none of these' } };

let product: Product;
let workers: RoleProcess[];
let readers: readonly TaskClient[];
let client: TaskClient;
const staleReads: DetailedTask[] = [];

beforeAll(async () => {
  product = await openProduct();
  const fronts = await Promise.all([product.startFront(), product.startFront()]);
  workers = await Promise.all([product.startWorker(), product.startWorker()]);
  client = createTaskClient(...fronts.map(({ url }) => url));
  readers = Array.from({ length: READERS }, (_, index) => client.over(fronts[index % fronts.length]!.url));
}, SETUP_MS);

/** Tasks that wait for an answer. */
async function askingTasks(count: number): Promise<readonly string[]> {
  const taskIds: string[] = [];
  await runRounds(count, CREATES_AT_ONCE, async () => {
    const taskId = await client.create('purchase_order', anAskingCall());
    await client.until(taskId, ['input_required'], SETTLES_WITHIN_MS);
    taskIds.push(taskId);
  });
  return taskIds;
}

/** Answers the open question; then all readers look at the same time. The journal of the clients judges the rest. */
async function answerThenRead(taskId: string): Promise<void> {
  const asked = await client.until(taskId, ['input_required'], SETTLES_WITHIN_MS);
  const [key = ''] = Object.keys(questionsOf(asked));
  await client.answer(taskId, { [key]: MISFIT });
  const seen = await Promise.all(readers.map((reader) => reader.get(taskId)));
  staleReads.push(...seen.filter((task) => Object.hasOwn(questionsOf(task), key)));
}

describe('an answer that is acknowledged', () => {
  it(
    `is seen by all readers in ${ROUNDS_UP} rounds with workers up`,
    async () => {
      const taskIds = await askingTasks(ROUNDS_UP / ANSWERS_PER_TASK);
      await runRounds(ROUNDS_UP, 2, (round) => answerThenRead(taskIds[round % taskIds.length]!));
      expect(staleReads.splice(0)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    `is seen by all readers in ${ROUNDS_DOWN} rounds with workers down`,
    async () => {
      const taskIds = await askingTasks(ROUNDS_DOWN);
      await Promise.all(workers.map(kill9));
      await runRounds(ROUNDS_DOWN, 2, (round) => answerThenRead(taskIds[round]!));
      expect(staleReads.splice(0)).toEqual([]);
    },
    TEST_MS,
  );
});
