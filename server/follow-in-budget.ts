import type { DetailedTask } from '../protocol/task.ts';
import { followTask, type AskClient, type FollowParts } from './follow-task.ts';
import { StoreUnavailable } from './task-store.ts';
import { PROGRESS_INTERVAL_MS, type Waiting } from './wait-for-task.ts';

/** As `waitForTask`, but a question is put to the client and the wait goes on. */
export async function followInBudget(
  parts: FollowParts,
  waiting: Waiting & { readonly ask: AskClient },
  created: DetailedTask,
  budgetMs: number,
): Promise<DetailedTask> {
  const { ask, signal, draining, onProgress, progressIntervalMs = PROGRESS_INTERVAL_MS } = waiting;
  const spent = new AbortController();
  const timer = setTimeout(() => spent.abort(), budgetMs);
  let latest = created;
  let step = 0;
  const report = async (): Promise<void> => {
    step += 1;
    await onProgress?.(step, latest.statusMessage);
  };
  const progress = setInterval(() => {
    // A client that is gone hears of no progress, and its signal ends the wait.
    report().catch(() => undefined);
  }, progressIntervalMs);
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
    clearInterval(progress);
  }
}
