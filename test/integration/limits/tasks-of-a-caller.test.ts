import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { TooManyAnswers } from '../../../server/task-store.ts';
import { eventually } from '../../support/eventually.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../../support/task-bench.ts';
import { testCaller } from '../../support/test-caller.ts';

let bench: TaskBench;
beforeAll(async () => {
  const path = fileURLToPath(new URL('../asking-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, {});
  await bench.startWorker();
}, 60_000);

const YES = accept({ yes: true });

describe('a task that has taken as many answers as it may', () => {
  it('takes no more of them, of this caller at this front', async () => {
    const strict = bench.secondStore({ answersPerTask: 1 });
    const taskId = await bench.create('ask_twice');
    const [first] = openKeys(await bench.until(taskId, 'input_required'));
    await strict.deliver(bench.caller, taskId, { [first!]: YES });
    const second = await eventually(
      async () => openKeys(await bench.get(taskId)).find((key) => key !== first) ?? false,
    );
    // What answers nothing is no answer.
    await strict.deliver(bench.caller, taskId, { [first!]: YES });
    await expect(strict.deliver(bench.caller, taskId, { [second]: YES })).rejects.toThrow(TooManyAnswers);
    await strict.cancel(bench.caller, taskId, 'the test is over');
    expect(await bench.until(taskId, 'cancelled')).toMatchObject({ status: 'cancelled' });
  });
});

describe('countOpen', () => {
  it("counts the caller's tasks that have not ended, under both keys", async () => {
    const former = randomBytes(16).toString('hex');
    const caller = { ...testCaller(randomBytes(16).toString('hex')), formerPrincipal: former };
    const create = async (principal: string): Promise<string> => {
      const sizes = { ttlMs: 60_000, maxTtlMs: 120_000, pollIntervalMs: 1_000 };
      const call = { tool: 'ask_twice', args: {}, features: { elicitationForm: true }, ...sizes };
      return (await bench.store.create(testCaller(principal), call)).task.taskId;
    };
    const [taskId] = [await create(caller.principal), await create(former)];
    await eventually(async () => (await bench.store.countOpen(caller)) === 2);
    await bench.store.cancel(caller, taskId, 'the test is over');
    await eventually(async () => (await bench.store.countOpen(caller)) === 1);
    expect(await bench.store.countOpen(testCaller('0'.repeat(32)))).toBe(0);
  });
});

describe('hasKey', () => {
  it('knows the calls of this caller that were made under a key, while their task is there', async () => {
    const [mine, other] = [testCaller('1'.repeat(32)), testCaller('2'.repeat(32))];
    const sizes = { ttlMs: 60_000, maxTtlMs: 120_000, pollIntervalMs: 1_000 };
    const call = { tool: 'ask_twice', args: {}, features: { elicitationForm: true }, idempotencyKey: 'k', ...sizes };
    expect(await bench.store.hasKey(mine, 'k')).toBe(false);
    const { task } = await bench.store.create(mine, call);
    const asked = [mine, other].map((caller) => bench.store.hasKey(caller, 'k'));
    expect(await Promise.all([...asked, bench.store.hasKey(mine, 'another')])).toEqual([true, false, false]);
    await bench.store.cancel(mine, task.taskId, 'the test is over');
    await eventually(async () => (await bench.store.get(mine, task.taskId)).status === 'cancelled');
    expect(await bench.store.hasKey(mine, 'k')).toBe(true);
  });
});
