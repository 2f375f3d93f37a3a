/**
 * The port behind which tasks live. What every implementation owes:
 *
 * - `create` answers only when the task is durable: `get` finds it from any process at once.
 * - `get` reads its own acknowledged `create`, `deliver` and `cancel`, from any process, with or without workers.
 * - `deliver` and `cancel` are idempotent; on a finished task they are acknowledged and change nothing.
 * - Not found has one meaning and one error: unknown, malformed, expired, or somebody else's.
 */
import type { DetailedTask, JsonObject } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import type { CallerFeatures } from '../workflows/contract.ts';

export interface NewTask {
  readonly tool: string;
  readonly args: JsonObject;
  /** With a key the same caller's same call leads to the same task. */
  readonly idempotencyKey?: string;
  readonly features: CallerFeatures;
  readonly ttlMs: number;
  readonly maxTtlMs: number;
  readonly pollIntervalMs: number;
  /** For the Temporal UI. */
  readonly summary?: string;
}

export interface CreatedTask {
  readonly task: DetailedTask;
  /** `false`: the key found a task that was there already. */
  readonly isNew: boolean;
}

export interface TaskStore {
  /** @throws IdempotencyConflict, StoreUnavailable */
  create(caller: Caller, task: NewTask): Promise<CreatedTask>;
  /** @throws TaskNotFound, StoreUnavailable */
  get(caller: Caller, taskId: string): Promise<DetailedTask>;
  /** Responses by key; what is not outstanding is left out. @throws TaskNotFound, StoreUnavailable */
  deliver(caller: Caller, taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void>;
  /** @throws TaskNotFound, StoreUnavailable */
  cancel(caller: Caller, taskId: string, reason: string): Promise<void>;
  /**
   * Waits until the task is terminal, a request is outstanding, `budgetMs` has passed or `signal` aborts, whichever is
   * first; answers as `get` does.
   * @throws TaskNotFound, StoreUnavailable
   */
  settle(caller: Caller, taskId: string, budgetMs: number, signal?: AbortSignal): Promise<DetailedTask>;
}

/** Unknown, malformed, expired, or not this caller's: one error for all. */
export class TaskNotFound extends Error {
  override readonly name = 'TaskNotFound';
}

/** One idempotency key, two different calls. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict';
}

/** The store did not answer in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
