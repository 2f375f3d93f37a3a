import type { DetailedTask } from '../protocol/task.ts';
import { followTask, type AskClient, type FollowParts } from './follow-task.ts';
import { reportProgress } from './report-progress.ts';
import { StoreUnavailable } from './task-store.ts';
import type { Waiting } from './wait-for-task.ts';

/** As `waitForTask`, but a question is put to the client and the wait goes on. */
export async function followInBudget(
  parts: FollowParts,
  waiting: Waiting & { readonly ask: AskClient },
  created: DetailedTask,
  budgetMs: number,
): Promise<DetailedTask> {
  const { ask, signal, draining } = waiting;
  const spent = new AbortController();
  const timer = setTimeout(() => spent.abort(), budgetMs);
  let latest = created;
  const endReports = reportProgress(waiting, async () => latest.statusMessage);
  const onChange = (task: DetailedTask): void => {
    latest = task;
  };
  try {
    return await followTask(parts, { until: [signal, draining, spent.signal], ask, onChange }, created.taskId);
  } catch (error) {
    // As in `waitForTask`: an outage ends the wait, not the call.
    if (error instanceof StoreUnavailable) return latest;
    throw error;
  } finally {
    clearTimeout(timer);
    endReports();
  }
}
