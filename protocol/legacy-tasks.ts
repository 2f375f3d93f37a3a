/** Names and values of the experimental tasks of MCP 2025-11-25, and a task as that revision writes it. */
import type { DetailedTask, TaskStatus } from './task.ts';

export const TASKS_RESULT = 'tasks/result';
export const TASKS_LIST = 'tasks/list';
export const TASK_STATUS_NOTIFICATION = 'notifications/tasks/status';
/** `_meta` key that ties a message to the task it belongs to. */
export const RELATED_TASK_META = 'io.modelcontextprotocol/related-task';

export const LEGACY_TASKS_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** Spec: 2025-11-25, tasks, Task. Durations are in ms here too. */
export interface LegacyTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number;
  readonly pollInterval: number;
}

type Described = Pick<DetailedTask, 'taskId' | 'createdAt' | 'lastUpdatedAt' | 'ttlMs' | 'pollIntervalMs'> & {
  readonly status: TaskStatus;
  readonly statusMessage?: string;
};

export function toLegacyTask(task: Described): LegacyTask {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

/** What `_meta` holds of a message that belongs to a task. */
export function relatedTask(taskId: string): { readonly [RELATED_TASK_META]: { readonly taskId: string } } {
  return { [RELATED_TASK_META]: { taskId } };
}
