/** What a tool call gets, as its revision writes it. */
import type { Result } from '@modelcontextprotocol/server';
import { toLegacyTask } from '../protocol/legacy-tasks.ts';
import type { DetailedTask, ToolResult } from '../protocol/task.ts';
import type { ToolAnswer } from './tool-call.ts';

export function toCallResult(answer: ToolAnswer, isModern: boolean): Result {
  switch (answer.kind) {
    case 'task':
      return isModern ? toCreateTaskResult(answer.task) : { task: toLegacyTask(answer.task) };
    case 'input':
      return { resultType: 'input_required', inputRequests: answer.requests, requestState: answer.requestState };
    case 'plain':
      return toPlainResult(answer.result, isModern);
  }
}

/** Neither of the two is a tool result: that has `content`. */
export function isTaskResult(result: Result): boolean {
  return result['resultType'] === 'task' || (result['content'] === undefined && result['task'] !== undefined);
}

/** Spec: tasks.md, CreateTaskResult: flat, without content, result, inputRequests or requestState. */
function toCreateTaskResult(task: DetailedTask): Result {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    resultType: 'task',
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
  };
}

/** `resultType` is a word of the 2026-07-28 revision only. */
export function toPlainResult(result: ToolResult & { resultType?: string }, isModern: boolean): Result {
  if (isModern) return { ...result };
  const { resultType: _, ...plain } = result;
  return plain;
}
