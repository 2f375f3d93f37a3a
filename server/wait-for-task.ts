import { isTerminal, type DetailedTask } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import { reportProgress, type Progress } from './report-progress.ts';
import { stopOn } from './stop-on.ts';
import { StoreUnavailable, type TaskStore } from './task-store.ts';

/** How a call waits, and who may end that early. */
export interface Waiting extends Progress {
  /** The client closed the connection. */
  readonly signal: AbortSignal;
  /** The server stops: every wait ends with what is known. */
  readonly draining: AbortSignal;
}

/** The task once it has ended, asks something, or `budgetMs` is over; sooner when nobody waits any more. */
export async function waitForTask(
  { store, caller }: { readonly store: TaskStore; readonly caller: Caller },
  waiting: Waiting,
  created: DetailedTask,
  budgetMs: number,
): Promise<DetailedTask> {
  if (budgetMs <= 0 || isTerminal(created.status)) return created;
  const stop = stopOn(waiting.signal, waiting.draining);
  // The wait is rung at changes; what an activity says of its progress rings nothing, so it is read.
  const endReports = reportProgress(waiting, async () => (await store.get(caller, created.taskId)).statusMessage);
  try {
    return await store.settle(caller, created.taskId, budgetMs, stop.signal);
  } catch (error) {
    // The task is durable and its handle can be given out: an outage ends the wait, not the call.
    if (error instanceof StoreUnavailable) return created;
    throw error;
  } finally {
    endReports();
    stop.abort();
  }
}
