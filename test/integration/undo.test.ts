/** What a task that did not complete had done outside: taken back, or truthfully told. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { DetailedTask } from '../../protocol/task.ts';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';

const world = createLifecycleActivities();
let bench: TaskBench;

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url)), world.activities);
  await bench.startWorker();
});

interface Undos {
  readonly first: string;
  readonly second: string;
}

/** Both effects are live. */
async function twoEffects(undos: Undos, ttlMs = 60_000): Promise<string> {
  const taskId = await bench.create('two_effects', { ...undos }, { ttlMs });
  await eventually(() => world.live.has(`${taskId}:second`), 10_000);
  return taskId;
}
const cancel = (taskId: string): Promise<void> => bench.store.cancel(bench.caller, taskId, 'changed my mind');
const liveOf = (taskId: string): string[] => ['first', 'second'].filter((name) => world.live.has(`${taskId}:${name}`));
const ended = (taskId: string): Promise<DetailedTask> => bench.until(taskId, 'completed', 'failed', 'cancelled');

function toolErrorOf(task: DetailedTask): string {
  expect(task).toMatchObject({ status: 'completed', result: { isError: true } });
  const [block] = task.status === 'completed' ? task.result.content : [];
  return block?.type === 'text' ? block.text : '';
}

describe('the undos of a task that did not complete', () => {
  it('all run when all work, and the task is cancelled', async () => {
    const taskId = await twoEffects({ first: 'works', second: 'works' });
    await cancel(taskId);
    expect((await ended(taskId)).status).toBe('cancelled');
    expect(liveOf(taskId)).toEqual([]);
  });

  it.each([
    [{ first: 'works', second: 'refused' }, ['second'], 'It has been shipped already.'],
    [{ first: 'works', second: 'crashes' }, ['second'], 'The effect of "Do the second" remains.'],
    [{ first: 'crashes', second: 'works' }, ['first'], 'The effect of "Do the first" remains.'],
    [
      { first: 'refused', second: 'crashes' },
      ['first', 'second'],
      'The effect of "Do the second" remains. It has been shipped already.',
    ],
  ])('all run with %j, and the result names what is left', async (undos, left, words) => {
    const taskId = await twoEffects(undos);
    await cancel(taskId);
    const task = await ended(taskId);
    expect(toolErrorOf(task)).toBe(`The task was ended, but what it had done could not be undone: ${words}`);
    expect(liveOf(taskId)).toEqual(left);
    expect(JSON.stringify(task)).not.toMatch(/postgres|internal\//);
  });

  it('that fail at the deadline are told as well', async () => {
    const taskId = await twoEffects({ first: 'crashes', second: 'works' }, 10_000);
    expect(toolErrorOf(await ended(taskId))).toContain('The effect of "Do the first" remains.');
    expect(liveOf(taskId)).toEqual(['first']);
  });

  it('wait for mended code when one of them has a bug, so that none is lost', async () => {
    const taskId = await twoEffects({ first: 'works', second: 'has a bug' });
    await cancel(taskId);
    await eventually(async () => {
      const { status, statusMessage } = await bench.get(taskId);
      expect([status, statusMessage]).toEqual(['working', expect.stringContaining('cannot continue this task')]);
    }, 40_000);
    expect(liveOf(taskId)).toEqual(['first', 'second']);
    await bench.service.client.getHandle(bench.workflowId(taskId)).terminate('end of test');
  }, 60_000);
});
