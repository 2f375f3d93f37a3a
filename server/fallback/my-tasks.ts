import { toolError, toolResult } from '../../workflows/tool.ts';
import type { JsonObject } from '../../protocol/task.ts';
import { readTaskPage } from '../task-pages.ts';
import type { ListedTask } from '../task-store.ts';
import { defineFallbackTool } from './fallback-tool.ts';

const NOT_A_TIME = 'must be a time with its zone, such as 2026-11-29T10:00:00Z';
const UNUSABLE_CURSOR =
  'The cursor is unknown or too old, or was given for other filters. Repeat its call with the same tool, status, ' +
  'createdAfter and createdBefore, or call my_tasks without a cursor.';

export const myTasks = defineFallbackTool({
  name: 'my_tasks',
  title: 'My tasks',
  onlyReads: true,
  description:
    'Lists your tasks: those that run, the newest first, then those that ended, the latest first. The list may lag some ' +
    'seconds behind and decides nothing; task_wait tells how one task stands now.',
  input: (z) => {
    const time = z.iso.datetime({ offset: true, error: NOT_A_TIME }).optional();
    return z.object({
      tool: z.string().optional().describe('Only tasks of this tool'),
      status: z
        .enum(['working', 'input_required', 'completed', 'failed', 'cancelled'])
        .optional()
        .describe('Only tasks that stood so'),
      createdAfter: time.describe('Only tasks that were created at this time or later'),
      createdBefore: time.describe('Only tasks that were created earlier'),
      limit: z.int().min(1).max(100).default(20).describe('How many tasks at a time'),
      cursor: z.string().optional().describe('nextCursor of the page before, with the same filters'),
    });
  },
  async run({ tool, status, createdAfter, createdBefore, limit, cursor }, parts) {
    const tools = [...parts.contracts.values()].filter(({ tool: { task } }) => task !== 'never');
    const names = tools.map(({ listed: { name } }) => name);
    if (tool !== undefined && !names.includes(tool)) return toolError(`tool must be one of ${names.join(', ')}.`);
    const filter = {
      ...(tool === undefined ? {} : { tool }),
      ...(status === undefined ? {} : { status }),
      ...(createdAfter === undefined ? {} : { createdFrom: Date.parse(createdAfter) }),
      ...(createdBefore === undefined ? {} : { createdBefore: Date.parse(createdBefore) }),
    };
    const page = await readTaskPage(parts, cursor, { size: limit, filter });
    if (page === undefined) return toolError(UNUSABLE_CURSOR);
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
