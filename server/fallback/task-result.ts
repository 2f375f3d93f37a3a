import { isTerminal } from '../../protocol/task.ts';
import { toolError } from '../../workflows/tool.ts';
import { plainAnswer } from '../plain-answer.ts';
import { defineFallbackTool } from './fallback-tool.ts';
import { taskIdArgument } from './task-id-argument.ts';

export const taskResult = defineFallbackTool({
  name: 'task_result',
  title: 'Result of a task',
  onlyReads: true,
  description: 'Gives the result of a task that has ended, exactly as the call that started it would have answered.',
  input: (z) => z.object({ id: taskIdArgument(z) }),
  async run({ id }, parts) {
    const { store, caller } = parts;
    const task = await store.get(caller, id);
    if (!isTerminal(task.status)) {
      return toolError(`Task ${task.taskId} has no result yet: it is not finished. Call task_wait with this id.`);
    }
    if (task.status === 'failed') return toolError(`Task ${task.taskId} has failed: ${task.error.message}`);
    return plainAnswer(parts, task);
  },
});
