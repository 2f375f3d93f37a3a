/** I7 over HTTP and real processes: what came while every worker was dead, told by a front that is killed over it as well. */
import { beforeAll, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../protocol/task.ts';
import { eventually } from '../support/eventually.ts';
import { kill9 } from '../support/product.ts';
import { createTaskClient, questionsOf } from '../support/task-client.ts';
import { openCaseServer } from './cases/support/case-server.ts';

type Step = 'answer' | 'cancel' | 'deadline';

const ORDERS: readonly (readonly [readonly Step[], 'cancelled' | 'completed' | 'failed'])[] = [
  [['answer', 'cancel', 'deadline'], 'cancelled'],
  [['cancel', 'answer', 'deadline'], 'cancelled'],
  [['cancel', 'deadline', 'answer'], 'cancelled'],
  [['answer', 'deadline', 'cancel'], 'failed'],
  [['deadline', 'answer', 'cancel'], 'failed'],
  [['deadline', 'cancel', 'answer'], 'failed'],
  [['answer', 'deadline'], 'failed'],
  [['deadline', 'answer'], 'failed'],
  [['cancel', 'answer'], 'cancelled'],
  [['answer', 'cancel'], 'cancelled'],
  [['answer'], 'completed'],
];

/** They are all waited for, and the worker is dead, before the first is over. */
const TTL_MS = 20_000;
const ENDS_WITHIN_MS = 30_000;
const TEST_MS = 180_000;

/** By the steps of its order. */
const ended = new Map<string, DetailedTask>();

beforeAll(async () => {
  const server = await openCaseServer();
  const [front, worker] = await Promise.all([server.startFront(), server.startWorker()]);
  const client = createTaskClient(front.url);
  const tasks = await Promise.all(
    ORDERS.map(async ([order]) => {
      const taskId = await client.create(order.includes('deadline') ? 'ask_20_seconds' : 'ask_30_days', {});
      const asked = await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
      const [key = ''] = Object.keys(questionsOf(asked));
      return { order, taskId, key, overAt: Date.parse(asked.createdAt) + TTL_MS };
    }),
  );
  await kill9(worker);
  expect(Date.now()).toBeLessThan(Math.min(...tasks.map(({ overAt }) => overAt)));

  const steps: Readonly<Record<Step, (task: (typeof tasks)[number]) => Promise<void>>> = {
    answer: ({ taskId, key }) => client.answer(taskId, { [key]: { action: 'accept', content: { yes: true } } }),
    cancel: ({ taskId }) => client.cancel(taskId),
    // Its own clock says nothing: the timer of Temporal has to have fired.
    deadline: async ({ taskId, overAt }) => {
      await eventually(async () => {
        const { statusMessage = '' } = await client.get(taskId);
        return /^(Expired|Cancellation requested)/.test(statusMessage) && Date.now() > overAt;
      }, TTL_MS);
    },
  };
  await Promise.all(
    tasks.map(async (task) => {
      for (const step of task.order) {
        await steps[step](task);
        const seen = await client.get(task.taskId);
        expect({ step, status: seen.status, questions: questionsOf(seen) }).toEqual({
          step,
          status: 'working',
          questions: {},
        });
      }
    }),
  );
  await kill9(front);
  const [second] = await Promise.all([server.startFront(), server.startWorker()]);
  const later = client.over(second.url);
  await Promise.all(
    tasks.map(async ({ order, taskId }) => {
      const over = await later.until(taskId, ['completed', 'failed', 'cancelled'], ENDS_WITHIN_MS);
      ended.set(order.join(), over);
    }),
  );
}, TEST_MS);

it.each(ORDERS)('while every worker is dead, %j ends %s', (order, status) => {
  const error = { message: expect.stringMatching(/^The task expired at /) };
  expect(ended.get(order.join())).toMatchObject(status === 'failed' ? { status, error } : { status });
});
