import type { Caller } from '../../server/caller.ts';
import type { TaskStore } from '../../server/task-store.ts';
import { eventually } from './eventually.ts';

/** A task of `caller` by the tool `ask`, once it waits for its answer. */
export async function askingTask(store: TaskStore, caller: Caller): Promise<string> {
  const { task } = await store.create(caller, {
    tool: 'ask',
    args: {},
    features: { elicitationForm: true },
    ttlMs: 60_000,
    maxTtlMs: 60_000,
    pollIntervalMs: 1_000,
  });
  await eventually(async () => (await store.get(caller, task.taskId)).status === 'input_required');
  return task.taskId;
}
