import { defineFallbackTool } from './fallback-tool.ts';
import { taskIdArgument } from './task-id-argument.ts';
import { viewOfTask } from './task-view.ts';

export const taskCancel = defineFallbackTool({
  name: 'task_cancel',
  title: 'Cancel a task',
  onlyReads: false,
  description:
    'Asks a task to stop. It ends as cancelled once its work has really stopped, or as completed when it was too late. ' +
    'A task that has ended stays as it is.',
  input: (z) => z.object({ id: taskIdArgument(z) }),
  async run({ id }, parts) {
    const { store, caller } = parts;
    await store.cancel(caller, id, 'requested by the caller through task_cancel');
    return viewOfTask(parts, await store.get(caller, id));
  },
});
