import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { ListedTask } from '../../server/task-store.ts';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

let bench: TaskBench;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./asking-workflows.ts', import.meta.url)), {});
  await bench.startWorker();
}, 60_000);

async function all(size: number, principal = bench.caller.principal): Promise<readonly ListedTask[]> {
  const tasks: ListedTask[] = [];
  let token: string | undefined;
  do {
    const page = await bench.store.list({ principal }, { size, ...(token === undefined ? {} : { token }) });
    expect(page.tasks.length).toBeLessThanOrEqual(size);
    tasks.push(...page.tasks);
    token = page.nextPageToken;
  } while (token !== undefined);
  return tasks;
}

it("lists a caller's own tasks once each, in pages: those that run, the newest first, then those that ended", async () => {
  const asking = await bench.create('ask_form', { form: 'approval' });
  const continued = await bench.create('go_on', { run: 1 });
  await bench.until(continued, 'completed');
  const cancelled = await bench.create('ask_form', { form: 'approval' });
  await bench.until(cancelled, 'input_required');
  await bench.store.cancel(bench.caller, cancelled, 'test');
  await bench.until(cancelled, 'cancelled');
  const newest = await bench.create('ask_form', { form: 'approval' });
  await bench.until(asking, 'input_required');
  await bench.until(newest, 'input_required');

  await eventually(async () => {
    expect((await all(2)).map(({ taskId, tool, status }) => [taskId, tool, status])).toEqual([
      [newest, 'ask_form', 'input_required'],
      [asking, 'ask_form', 'input_required'],
      [cancelled, 'ask_form', 'cancelled'],
      [continued, 'go_on', 'completed'],
    ]);
  }, 15_000);
  const [first] = await all(10);
  expect(first).toMatchObject({ statusMessage: 'Waiting for your answer: Your answer?', ttlMs: 60_000 });
  expect(await all(10, 'e'.repeat(32))).toEqual([]);

  const forgetful = bench.secondStore({ resultRetentionMs: 1 });
  const kept = (await forgetful.list(bench.caller, { size: 10 })).tasks.map(({ taskId }) => taskId);
  expect(kept).toEqual([newest, asking]);
});
