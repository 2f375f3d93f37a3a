import { toolError, toolResult } from '../../workflows/tool.ts';
import type { JsonObject } from '../../protocol/task.ts';
import { readTaskPage } from '../task-pages.ts';
import type { ListedTask } from '../task-store.ts';
import { defineFallbackTool } from './fallback-tool.ts';

export const myTasks = defineFallbackTool({
  name: 'my_tasks',
  title: 'My tasks',
  description:
    'Lists your tasks: those that run, the newest first, then those that ended, the latest first. The list may lag some ' +
    'seconds behind; task_wait tells how one task stands now.',
  input: (z) => z.object({ cursor: z.string().optional().describe('nextCursor of the page before') }),
  async run({ cursor }, parts) {
    const page = await readTaskPage(parts, cursor);
    if (page === undefined) return toolError('The cursor is unknown or too old. Call my_tasks without a cursor.');
    const { nextCursor } = page;
    const tasks = page.tasks.map(shown);
    const count = `${String(tasks.length)} ${tasks.length === 1 ? 'task' : 'tasks'}`;
    const more = nextCursor === undefined ? '' : ' There are more: call again with nextCursor.';
    return toolResult(`${count}, as of a few seconds ago.${more}`, {
      structured: { tasks, ...(nextCursor === undefined ? {} : { nextCursor }) },
    });
  },
});

function shown({ taskId, tool, status, statusMessage, createdAt, lastUpdatedAt }: ListedTask): JsonObject {
  return {
    id: taskId,
    tool,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
  };
}
