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
import type { Approval, DecidedApproval } from './approval.ts';
import { withApproval, withDecided, withdrawAll } from './open-approvals.ts';
import type { InputRequests, RpcError, TaskStatus, ToolResult } from './task.ts';

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
  /** Decisions that other people have yet to take. */
  readonly approvals?: readonly Approval[];
  /** Those that were taken, the latest last; a few. */
  readonly decided?: readonly DecidedApproval[];
  readonly ending?: Ending;
  /** The outcome is fixed; only settlement remains. The deadline is disarmed. */
  readonly settling?: { readonly status: Outcome['status']; readonly digest: string };
  readonly outcome?: Outcome;
}

/** A snapshot and the memory that keeps I3, within one run: whoever mints keys makes them unique beyond it. */
export interface TaskState extends TaskSnapshot {
  readonly closedKeys: readonly string[];
}

export type TaskEvent = { readonly at: number } & (
  | { readonly type: 'asked'; readonly requests: InputRequests }
  | { readonly type: 'answered'; readonly receivedAt: number; readonly keys: readonly string[] }
  | { readonly type: 'withdrawn'; readonly keys: readonly string[] }
  /** A new one, or one that has changed: told by its id. */
  | {
      readonly type: 'approvalOpen';
      readonly approval: Approval;
      /** Of what was shown to whoever has just voted. */
      readonly digest?: string;
    }
  | { readonly type: 'approvalDecided'; readonly decided: DecidedApproval }
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

/** Member by member: a spread that more members follow takes ten times as long, in each start. */
export function seedState({ taskId, createdAt, ttlMs, pollIntervalMs }: TaskSeed): TaskState {
  return {
    taskId,
    createdAt,
    ttlMs,
    pollIntervalMs,
    rev: 0,
    lastUpdatedAt: createdAt,
    deadlineAt: createdAt + ttlMs,
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
    case 'approvalOpen':
      return isOver(state) ? undefined : withApproval(state, event.approval);
    case 'approvalDecided':
      return withDecided(state, event.decided);
    case 'reported':
      return event.message === state.statusMessage ? undefined : { statusMessage: event.message };
    case 'extended': {
      const ttlMs = Math.min(state.ttlMs + event.byMs, event.maxTtlMs);
      if (isOver(state) || ttlMs <= state.ttlMs) return undefined;
      return { ttlMs, deadlineAt: state.deadlineAt + (ttlMs - state.ttlMs) };
    }
    case 'cancelRequested':
      return isOver(state) ? undefined : { ending: 'cancel', ...closeAll(state, event.at) };
    case 'deadlinePassed':
      return isOver(state) ? undefined : { ending: 'deadline', ...closeAll(state, event.at) };
    case 'settling':
      if (state.settling !== undefined) return undefined;
      return {
        settling: { status: event.status, digest: event.digest },
        ...closeAll(state, event.at),
      };
    case 'ended':
      return {
        outcome: event.outcome,
        ttlMs: Math.max(event.at - state.createdAt, 0) + event.resultRetentionMs,
        ...closeAll(state, event.at),
      };
  }
}

/** No answer, question, cancel or deadline counts any more. */
function isOver(state: TaskSnapshot): boolean {
  return state.ending !== undefined || state.settling !== undefined || state.outcome !== undefined;
}

/** Nobody is waited for any more. */
function closeAll(state: TaskState, at: number): Partial<TaskState> {
  return { ...close(state, Object.keys(state.requests)), ...withdrawAll(state, at) };
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

/** A state to fold events into, or to begin the next run with. I3 needs no memory here: every key is minted anew. */
export function fromSnapshot(snapshot: TaskSnapshot): TaskState {
  return { ...snapshot, closedKeys: [] };
}
