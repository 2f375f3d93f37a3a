/**
 * The life of a task as a pure function. The workflow drives it, `tasks/get` folds unprocessed events with it,
 * property tests attack it.
 *
 * I1  A terminal status is absorbing.
 * I2  `input_required` if and only if a request is outstanding and the task is not terminal: derived, never stored.
 * I3  A key is used once in the life of a task.
 * I4  A response for a key that is not outstanding changes nothing.
 * I5  `lastUpdatedAt` never decreases, `createdAt` never changes.
 * I6  `result` exactly when `completed`, `error` exactly when `failed`.
 * I7  What was received at or after the deadline, or after an acknowledged cancel, changes nothing.
 *
 * Times are epoch milliseconds; ISO 8601 appears only in `toDetailedTask`.
 */
import type { DetailedTask, InputRequests, RpcError, TaskStatus, ToolResult } from './task.ts';

/** How a task ended. */
export type Outcome =
  | { readonly status: 'completed'; readonly result: ToolResult }
  | { readonly status: 'failed'; readonly error: RpcError }
  | { readonly status: 'cancelled' };

/** Why a task that still runs is on its way to its end. */
export type Ending = 'cancel' | 'deadline';

/** All that a reader needs of a running task. It is small, and lives in the workflow's memo. */
export interface TaskSnapshot {
  readonly taskId: string;
  /** Grows with every change: the newer of two snapshots has the higher one. */
  readonly rev: number;
  readonly createdAt: number;
  readonly lastUpdatedAt: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** When the task expires, on Temporal's clock. */
  readonly deadlineAt: number;
  readonly statusMessage?: string;
  readonly requests: InputRequests;
  readonly ending?: Ending;
  /** The outcome is fixed; only settlement remains. The deadline is disarmed. */
  readonly settling?: { readonly status: Outcome['status']; readonly digest: string };
  readonly outcome?: Outcome;
}

/** A snapshot and the memory that keeps I3. */
export interface TaskState extends TaskSnapshot {
  readonly closedKeys: readonly string[];
}

export type TaskEvent = { readonly at: number } & (
  | { readonly type: 'asked'; readonly requests: InputRequests }
  | { readonly type: 'answered'; readonly receivedAt: number; readonly keys: readonly string[] }
  | { readonly type: 'withdrawn'; readonly keys: readonly string[] }
  | { readonly type: 'reported'; readonly message: string }
  | { readonly type: 'extended'; readonly byMs: number; readonly maxTtlMs: number }
  | { readonly type: 'cancelRequested' }
  | { readonly type: 'deadlinePassed' }
  | { readonly type: 'settling'; readonly status: Outcome['status']; readonly digest: string }
  | { readonly type: 'ended'; readonly outcome: Outcome; readonly resultRetentionMs: number }
);

export interface TaskSeed {
  readonly taskId: string;
  readonly createdAt: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

export function seedState(seed: TaskSeed): TaskState {
  return {
    ...seed,
    rev: 0,
    lastUpdatedAt: seed.createdAt,
    deadlineAt: seed.createdAt + seed.ttlMs,
    requests: {},
    closedKeys: [],
  };
}

/** The state after `event`; the very same object when the event changes nothing. */
export function next(state: TaskState, event: TaskEvent): TaskState {
  if (state.outcome !== undefined) return state; // I1
  const change = changeOf(state, event);
  if (change === undefined) return state;
  return {
    ...state,
    ...change,
    rev: state.rev + 1,
    lastUpdatedAt: Math.max(state.lastUpdatedAt, event.at), // I5
  };
}

function changeOf(state: TaskState, event: TaskEvent): Partial<TaskState> | undefined {
  switch (event.type) {
    case 'asked': {
      if (isOver(state)) return undefined;
      const fresh = Object.entries(event.requests).filter(
        ([key]) => !Object.hasOwn(state.requests, key) && !state.closedKeys.includes(key), // I3
      );
      if (fresh.length === 0) return undefined;
      return { requests: { ...state.requests, ...Object.fromEntries(fresh) } };
    }
    case 'answered':
      if (isOver(state) || event.receivedAt >= state.deadlineAt) return undefined; // I7
      return close(state, event.keys);
    case 'withdrawn':
      return close(state, event.keys);
    case 'reported':
      return event.message === state.statusMessage ? undefined : { statusMessage: event.message };
    case 'extended': {
      const ttlMs = Math.min(state.ttlMs + event.byMs, event.maxTtlMs);
      if (isOver(state) || ttlMs <= state.ttlMs) return undefined;
      return { ttlMs, deadlineAt: state.deadlineAt + (ttlMs - state.ttlMs) };
    }
    case 'cancelRequested':
      return isOver(state) ? undefined : { ending: 'cancel', ...close(state, Object.keys(state.requests)) };
    case 'deadlinePassed':
      return isOver(state) ? undefined : { ending: 'deadline', ...close(state, Object.keys(state.requests)) };
    case 'settling':
      if (state.settling !== undefined) return undefined;
      return {
        settling: { status: event.status, digest: event.digest },
        ...close(state, Object.keys(state.requests)),
      };
    case 'ended':
      return {
        outcome: event.outcome,
        ttlMs: Math.max(event.at - state.createdAt, 0) + event.resultRetentionMs,
        ...close(state, Object.keys(state.requests)),
      };
  }
}

/** No answer, question, cancel or deadline counts any more. */
function isOver(state: TaskSnapshot): boolean {
  return state.ending !== undefined || state.settling !== undefined || state.outcome !== undefined;
}

function close(state: TaskState, keys: readonly string[]): Partial<TaskState> | undefined {
  const closing = new Set(keys.filter((key) => Object.hasOwn(state.requests, key))); // I4
  if (closing.size === 0) return undefined;
  return {
    requests: Object.fromEntries(Object.entries(state.requests).filter(([key]) => !closing.has(key))),
    closedKeys: [...state.closedKeys, ...closing],
  };
}

export function statusOf(state: TaskSnapshot): TaskStatus {
  if (state.outcome !== undefined) return state.outcome.status;
  return Object.keys(state.requests).length > 0 ? 'input_required' : 'working'; // I2
}

export function toSnapshot(state: TaskState): TaskSnapshot {
  const { closedKeys: _, ...snapshot } = state;
  return snapshot;
}

/** A state to fold events into. I3 needs no memory here: nothing that is folded asks. */
export function fromSnapshot(snapshot: TaskSnapshot): TaskState {
  return { ...snapshot, closedKeys: [] };
}

/** The wire form. Spec: tasks.md, Task Polling: one extra field by status. */
export function toDetailedTask(state: TaskSnapshot): DetailedTask {
  const statusMessage = statusMessageOf(state);
  const base = {
    taskId: state.taskId,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(state.createdAt).toISOString(),
    lastUpdatedAt: new Date(state.lastUpdatedAt).toISOString(),
    ttlMs: state.ttlMs,
    pollIntervalMs: state.pollIntervalMs,
  };
  if (state.outcome === undefined) {
    return statusOf(state) === 'input_required'
      ? { ...base, status: 'input_required', inputRequests: state.requests }
      : { ...base, status: 'working' };
  }
  switch (state.outcome.status) {
    case 'completed':
      // The official requester takes a `result` without `resultType` for a failure.
      return { ...base, status: 'completed', result: { ...state.outcome.result, resultType: 'complete' } };
    case 'failed':
      return { ...base, status: 'failed', error: state.outcome.error };
    case 'cancelled':
      return { ...base, status: 'cancelled' };
  }
}

function statusMessageOf(state: TaskSnapshot): string | undefined {
  switch (state.outcome?.status) {
    case 'completed':
      return state.outcome.result.isError === true ? 'Completed with an error' : 'Completed';
    case 'failed':
      return state.outcome.error.message; // Spec: tasks.md, `failed` SHOULD carry diagnostics.
    case 'cancelled':
      return 'Cancelled';
    case undefined:
      break;
  }
  if (state.ending === 'cancel') return withDetail('Cancellation requested', state.statusMessage);
  if (state.ending === 'deadline') return withDetail('Expired, cleaning up', state.statusMessage);
  const questions = Object.values(state.requests).map((request) => request.params['message']);
  const asked = questions.filter((message) => typeof message === 'string');
  return asked.length > 0 ? `Waiting for your answer: ${asked.join(' / ')}` : state.statusMessage;
}

function withDetail(headline: string, detail: string | undefined): string {
  return detail === undefined ? headline : `${headline} (${detail})`;
}
