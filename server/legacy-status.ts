/** `notifications/tasks/status` of MCP 2025-11-25: optional, and sent where the connection outlives the request. */
import { setImmediate } from 'node:timers';
import type { Server } from '@modelcontextprotocol/server';
import { relatedTask, TASK_STATUS_NOTIFICATION, toLegacyTask } from '../protocol/legacy-tasks.ts';
import type { DetailedTask } from '../protocol/task.ts';
import { followTask, type FollowParts } from './follow-task.ts';
import type { Log } from './log.ts';

export interface StatusParts extends FollowParts {
  readonly log: Log;
  readonly draining: AbortSignal;
}

/** Each running one costs a call that Temporal holds. Who has more of them polls the rest. */
const MAX_FOLLOWED = 100;

/** Tells the client of each new status of a task that it was given on this connection, until the connection closes. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level class is the one with the hooks for tasks
export function createStatusNotifier(server: Server, parts: StatusParts): (task: DetailedTask) => void {
  const closed = new AbortController();
  server.onclose = () => closed.abort();
  const followed = new Set<string>();

  async function follow({ taskId, status }: DetailedTask): Promise<void> {
    let told = status;
    const tell = (task: DetailedTask): void => {
      if (task.status === told) return;
      told = task.status;
      const params = { ...toLegacyTask(task), _meta: relatedTask(taskId) };
      server.notification({ method: TASK_STATUS_NOTIFICATION, params }).catch(() => closed.abort());
    };
    await followTask(parts, { until: [closed.signal, parts.draining], onChange: tell }, taskId);
  }

  return (task) => {
    if (followed.size >= MAX_FOLLOWED || followed.has(task.taskId)) return;
    followed.add(task.taskId);
    // After the answer that gives the task out: nobody is told of a task they do not know.
    setImmediate(() => {
      follow(task)
        .catch((error: unknown) => parts.log.warn({ err: error, taskId: task.taskId }, 'status notifications ended'))
        .finally(() => followed.delete(task.taskId));
    });
  };
}
