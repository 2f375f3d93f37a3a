import { isTerminal, type DetailedTask } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import { stopOn } from './stop-on.ts';
import { StoreUnavailable, type TaskStore } from './task-store.ts';

/** How a call waits, and who may end that early. */
export interface Waiting {
  /** The client closed the connection. */
  readonly signal: AbortSignal;
  /** The server stops: every wait ends with what is known. */
  readonly draining: AbortSignal;
  /** Set when the client asked for progress. */
  readonly onProgress?: (step: number, message: string | undefined) => Promise<void>;
  /** How often. Default 5,000. */
  readonly progressIntervalMs?: number | undefined;
}

export const PROGRESS_INTERVAL_MS = 5_000;

/** The task once it has ended, asks something, or `budgetMs` is over; sooner when nobody waits any more. */
export async function waitForTask(
  parts: { readonly store: TaskStore; readonly caller: Caller },
  waiting: Waiting,
  created: DetailedTask,
  budgetMs: number,
): Promise<DetailedTask> {
  if (budgetMs <= 0 || isTerminal(created.status)) return created;
  const stop = stopOn(waiting.signal, waiting.draining);
  try {
    return await settleInSlices(parts, waiting, created, { budgetMs, signal: stop.signal });
  } catch (error) {
    // The task is durable and its handle can be given out: an outage ends the wait, not the call.
    if (error instanceof StoreUnavailable) return created;
    throw error;
  } finally {
    stop.abort();
  }
}

/** Without progress one slice is all; with it, a message between slices also keeps the connection alive. */
async function settleInSlices(
  { store, caller }: { readonly store: TaskStore; readonly caller: Caller },
  { onProgress, progressIntervalMs = PROGRESS_INTERVAL_MS }: Waiting,
  created: DetailedTask,
  { budgetMs, signal }: { budgetMs: number; signal: AbortSignal },
): Promise<DetailedTask> {
  const endsAt = performance.now() + budgetMs;
  for (let step = 1; ; step += 1) {
    const leftMs = Math.ceil(endsAt - performance.now());
    const sliceMs = onProgress === undefined ? leftMs : Math.min(leftMs, progressIntervalMs);
    const task = await store.settle(caller, created.taskId, Math.max(sliceMs, 0), signal);
    if (task.status !== 'working' || signal.aborted || performance.now() >= endsAt) return task;
    await onProgress?.(step, task.statusMessage);
  }
}
