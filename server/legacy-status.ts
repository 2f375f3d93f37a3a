/** `notifications/tasks/status` of MCP 2025-11-25: optional, and sent where something carries them. */
import { setImmediate } from 'node:timers';
import type { Notification, Server } from '@modelcontextprotocol/server';
import { relatedTask, TASK_STATUS_NOTIFICATION, toLegacyTask } from '../protocol/legacy-tasks.ts';
import type { DetailedTask, TaskStatus } from '../protocol/task.ts';
import { followTask, type FollowParts } from './follow-task.ts';
import type { Log } from './log.ts';

export interface StatusParts extends FollowParts {
  readonly log: Log;
  readonly draining: AbortSignal;
}

/** Each running one costs a call that Temporal holds. Who has more of them polls the rest. */
const MAX_FOLLOWED = 100;

/** Passes on each status that differs from the one before; the first is known, unless `told` says which one is. */
export function statusTeller(
  send: (notification: Notification) => Promise<void>,
  told?: TaskStatus,
): (task: DetailedTask) => void {
  let latest = told;
  return (task) => {
    const isNews = latest !== undefined && latest !== task.status;
    latest = task.status;
    if (!isNews) return;
    const params = { ...toLegacyTask(task), _meta: relatedTask(task.taskId) };
    send({ method: TASK_STATUS_NOTIFICATION, params }).catch(() => {
      // Nobody is left to hear of it, and whoever waits for the task learns that in its own way.
    });
  };
}

/** Tells the client of each new status of a task that it was given on this connection, until the connection closes. */
// oxlint-disable-next-line typescript/no-deprecated -- the low-level class is the one with the hooks for tasks
export function createStatusNotifier(server: Server, parts: StatusParts): (task: DetailedTask) => void {
  const closed = new AbortController();
  server.onclose = () => closed.abort();
  const followed = new Set<string>();

  async function follow({ taskId, status }: DetailedTask): Promise<void> {
    const send = async (notification: Notification): Promise<void> => {
      await server.notification(notification).catch(() => closed.abort());
    };
    const onChange = statusTeller(send, status);
    await followTask(parts, { until: [closed.signal, parts.draining], onChange }, taskId);
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
