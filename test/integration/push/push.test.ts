/** Two hundred tasks, three subscribers each, two fronts: nothing is missed, invented or out of order. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isTerminal, type JsonObject } from '../../../protocol/task.ts';
import { listen, type ListenStream } from '../../support/listen-client.ts';
import { post } from '../../support/mcp-request.ts';
import { runRounds } from '../../support/rounds.ts';
import { createTaskJournal, keysOf } from '../../support/task-journal.ts';
import { outOfOrder } from './in-order.ts';
import { possibleStates } from './possible-states.ts';
import { openPushBench, type PushBench } from './push-bench.ts';

const MIX: readonly (readonly [tool: string, count: number, args: JsonObject])[] = [
  ['ask_twice', 60, {}],
  ['ask_at_once', 70, {}],
  ['go_on', 30, { run: 1 }],
  ['report', 20, {}],
  ['wait', 20, {}],
];
const WITHIN_MS = 180_000;

let bench: PushBench;
beforeAll(async () => {
  bench = await openPushBench();
});

/** Answers each key once, as soon as any stream shows it, so that the other streams may find it gone already. */
function answerAtOnce(streams: readonly ListenStream[], urls: readonly string[], failures: unknown[]): void {
  const answered = new Set<string>();
  const journals = streams.map(createTaskJournal);
  streams.forEach((stream, index) => {
    stream.onTask = (task, at) => {
      try {
        journals[index]?.record(task, at);
      } catch (error) {
        failures.push(error);
      }
      for (const key of keysOf(task).filter((open) => !answered.has(open))) {
        answered.add(key);
        bench.accept(urls[answered.size % urls.length] ?? '', task.taskId, [key]).catch((error: unknown) => {
          failures.push(error);
        });
      }
    };
  });
}

describe('subscriptions/listen on Temporal', () => {
  it(
    'tells each of three subscribers of two hundred tasks every request and the end, in order, as tasks/get says them',
    async () => {
      const fronts = await Promise.all([bench.startFront(), bench.startFront()]);
      const [first = '', second = ''] = fronts.map(({ url }) => url);
      const tools = MIX.flatMap(([tool, count, args]) => Array.from({ length: count }, () => ({ tool, args })));
      const taskIds: string[] = [];
      await runRounds(tools.length, 8, async (index) => {
        const { tool, args } = tools[index] ?? { tool: '', args: {} };
        taskIds[index] = await bench.create(tool, args, { ttlMs: 600_000, maxTtlMs: 600_000 });
      });
      const tens = Array.from({ length: 20 }, (_, index) => taskIds.slice(index * 10, index * 10 + 10));
      const streams = await Promise.all([
        listen(first, taskIds),
        listen(second, taskIds),
        ...tens.map((some) => listen(second, some)),
      ]);
      const failures: unknown[] = [];
      answerAtOnce(streams, [first, second], failures);
      await bench.startWorker();
      const waiting = taskIds.slice(-20);
      await Promise.all(waiting.map((taskId) => post(first, { method: 'tasks/cancel', params: { taskId } })));

      expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => 'end'));
      expect(failures).toEqual([]);
      await runRounds(taskIds.length, 8, async (index) => {
        const taskId = taskIds[index] ?? '';
        const final = await bench.get(taskId);
        const { states, keys } = await possibleStates(bench, taskId);
        const told = streams.map((stream) => stream.told(taskId)).filter((tasks) => tasks.length > 0);
        expect(told).toHaveLength(3);
        for (const tasks of told) {
          expect(outOfOrder(tasks, states)).toEqual([]);
          expect(new Set(tasks.flatMap(keysOf))).toEqual(new Set(keys));
          expect(tasks.findIndex(({ status }) => isTerminal(status))).toBe(tasks.length - 1);
          expect(tasks.at(-1)).toEqual(final);
        }
      });
    },
    WITHIN_MS,
  );
});
