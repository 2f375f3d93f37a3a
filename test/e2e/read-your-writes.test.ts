/** G6: eight readers over two fronts see an acknowledged answer at once, with workers up and with workers down. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { anAskingCall, kill9, openProduct, type Product } from '../support/product.ts';
import type { RoleProcess } from '../support/processes.ts';
import { createRelay } from '../support/relay.ts';
import { runRounds } from '../support/rounds.ts';
import { atScopeEnd } from '../support/scope.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../support/task-client.ts';

const ROUNDS_UP = 500;
const ROUNDS_DOWN = 500;
const ROUNDS_HANGING = 24;
const READERS = 8;
/** A first question and three repetitions: so often a task asks when no answer fits. */
const ANSWERS_PER_TASK = 4;
const CREATES_AT_ONCE = 25;
const SETTLES_WITHIN_MS = 60_000;
const SLOW_LINE_MS = 100;
/** Longer than a reader asks the worker itself. */
const LONGEST_HANG_MS = 1_500;
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

interface Look {
  readonly over: readonly TaskClient[];
  readonly before?: () => void;
  readonly meanwhile?: () => Promise<void>;
}

/** Answers the open question; then all readers look at the same time. The journal of the clients judges the rest. */
async function answerThenRead(taskId: string, { over, before, meanwhile }: Look): Promise<void> {
  const asked = await client.until(taskId, ['input_required'], SETTLES_WITHIN_MS);
  const [key = ''] = Object.keys(questionsOf(asked));
  before?.();
  await client.answer(taskId, { [key]: MISFIT });
  const [seen] = await Promise.all([Promise.all(over.map((reader) => reader.get(taskId))), meanwhile?.()]);
  staleReads.push(...seen.filter((task) => Object.hasOwn(questionsOf(task), key)));
}

describe('an answer that is acknowledged', () => {
  it(
    `is seen by all readers in ${ROUNDS_UP} rounds with workers up`,
    async () => {
      const taskIds = await askingTasks(ROUNDS_UP / ANSWERS_PER_TASK);
      await runRounds(ROUNDS_UP, 2, (round) => answerThenRead(taskIds[round % taskIds.length]!, { over: readers }));
      expect(staleReads.splice(0)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    `is seen by readers on a slow line in ${ROUNDS_HANGING} rounds with workers that hang and then decide`,
    async () => {
      const random = seededRandom('workers that hang');
      const relay = await createRelay(Number(product.env['TEMPORAL_ADDRESS']!.split(':')[1]));
      atScopeEnd(() => relay.close());
      const slowFront = await product.startFront({ TEMPORAL_ADDRESS: `127.0.0.1:${String(relay.port)}` });
      const slow = Array.from({ length: READERS }, () => client.over(slowFront.url));
      relay.delay(SLOW_LINE_MS);
      const taskIds = await askingTasks(ROUNDS_HANGING / 3);
      for (let round = 0; round < ROUNDS_HANGING; round += 1) {
        await answerThenRead(taskIds[round % taskIds.length]!, {
          over: slow,
          before: () => workers.forEach((worker) => worker.signal('SIGSTOP')),
          meanwhile: async () => {
            // The decision falls between any two looks of a reader.
            await delay(random.below(LONGEST_HANG_MS));
            workers.forEach((worker) => worker.signal('SIGCONT'));
          },
        });
      }
      expect(staleReads.splice(0)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    `is seen by all readers in ${ROUNDS_DOWN} rounds with workers down`,
    async () => {
      const taskIds = await askingTasks(ROUNDS_DOWN);
      await Promise.all(workers.map(kill9));
      await runRounds(ROUNDS_DOWN, 2, (round) => answerThenRead(taskIds[round]!, { over: readers }));
      expect(staleReads.splice(0)).toEqual([]);
    },
    TEST_MS,
  );
});
