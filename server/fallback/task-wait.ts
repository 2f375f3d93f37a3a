import { waitForTask } from '../wait-for-task.ts';
import { defineFallbackTool } from './fallback-tool.ts';
import { taskIdArgument } from './task-id-argument.ts';
import { viewOfTask } from './task-view.ts';

/** Below the 60 s after which common clients give up on a request. */
const MAX_SECONDS = 45;

export const taskWait = defineFallbackTool({
  name: 'task_wait',
  title: 'Wait for a task',
  onlyReads: true,
  description:
    'Waits until a task that an earlier call named has ended or asks something, for at most the given seconds, and says ' +
    'where it stands. Call it again as long as the task goes on.',
  input: (z) =>
    z.object({
      id: taskIdArgument(z),
      seconds: z.int().min(0).max(MAX_SECONDS).default(30).describe('How long to wait; 0 only looks'),
    }),
  async run({ id, seconds }, parts, waiting) {
    const task = await parts.store.get(parts.caller, id);
    if (task.status !== 'working') return viewOfTask(parts, task);
    return viewOfTask(parts, await waitForTask(parts, waiting, task, seconds * 1_000));
  },
});
