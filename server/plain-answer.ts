/** A task as the answer of a plain call. */
import type { DetailedTask, JsonObject, ToolResult } from '../protocol/task.ts';
import { toolError, toolResult } from '../workflows/tool.ts';
import type { TellRead } from './approvals/told-results.ts';
import type { Caller } from './caller.ts';
import { failedWith } from './errors.ts';

export interface HandingOut {
  readonly caller: Caller;
  readonly tellRead: TellRead;
}

/** What the plain call would have answered: for the caller to read. @throws ProtocolError for a failed task */
export function plainAnswer({ caller, tellRead }: HandingOut, task: DetailedTask): ToolResult {
  switch (task.status) {
    case 'completed':
      tellRead(caller, task);
      return task.result;
    case 'failed':
      throw failedWith(task.error);
    default:
      return toolError(`Task ${task.taskId} was cancelled.`);
  }
}

/** Names a task that goes on, for a caller that waited long enough. A tool with an output schema may add nothing else. */
export function stillRunning(task: DetailedTask, mayBeStructured: boolean): ToolResult {
  const { taskId, statusMessage } = task;
  const text =
    `Task ${taskId} is not finished yet and goes on${statusMessage === undefined ? '' : ` (${statusMessage})`}. ` +
    'Call task_wait with this id to wait for it.';
  return mayBeStructured ? toolResult(text, { structured: { task: shownTask(task) } }) : toolResult(text);
}

export function shownTask({ taskId, status, statusMessage, pollIntervalMs }: DetailedTask): JsonObject {
  const nextPollSeconds = Math.ceil(pollIntervalMs / 1_000);
  return { id: taskId, status, ...(statusMessage === undefined ? {} : { statusMessage }), nextPollSeconds };
}
