/**
 * The port behind which tasks live. What every implementation owes:
 *
 * - `create` answers only when the task is durable: `get` finds it from any process at once.
 * - `get` reads its own acknowledged `create`, `deliver` and `cancel`, from any process, with or without workers.
 * - `deliver` and `cancel` are idempotent; on a finished task they are acknowledged and change nothing.
 * - Not found has one meaning and one error: unknown, malformed, expired, or somebody else's.
 */
import type { DetailedTask, JsonObject, TaskStatus } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import type { CallerFeatures } from '../workflows/contract.ts';

export interface NewTask {
  readonly tool: string;
  readonly args: JsonObject;
  /** With a key the same caller's same call leads to the same task. */
  readonly idempotencyKey?: string;
  readonly features: CallerFeatures;
  /** The task asks what its tool asks first, and only then begins. */
  readonly asksFirst?: true;
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

/** A task as an index knows it, which may lag seconds behind `get`. */
export interface ListedTask extends Pick<
  DetailedTask,
  'taskId' | 'statusMessage' | 'createdAt' | 'lastUpdatedAt' | 'ttlMs' | 'pollIntervalMs'
> {
  readonly tool: string;
  readonly status: TaskStatus;
}

/** Which tasks a list shows; what is left out does not narrow it. */
export interface TaskFilter {
  readonly tool?: string;
  readonly status?: TaskStatus;
  /** Epoch ms: created then or later. */
  readonly createdFrom?: number;
  /** Epoch ms: created earlier. A task that went on with a fresh history may count from that moment. */
  readonly createdBefore?: number;
}

export interface PageRequest {
  /** 1 to 1,000. */
  readonly size: number;
  /** `nextPageToken` of the page before, which was asked for with the same filter. */
  readonly token?: string;
  readonly filter?: TaskFilter;
}

export interface TaskPage {
  readonly tasks: readonly ListedTask[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

export interface TaskStore {
  /** @throws IdempotencyConflict, PayloadTooLarge, StoreUnavailable */
  create(caller: Caller, task: NewTask): Promise<CreatedTask>;
  /** Whether `create` under this key would find a task of the caller that is there. @throws StoreUnavailable */
  hasKey(caller: Caller, idempotencyKey: string): Promise<boolean>;
  /** @throws TaskNotFound, StoreUnavailable */
  get(caller: Caller, taskId: string): Promise<DetailedTask>;
  /** Responses by key; what is not outstanding is left out. @throws TaskNotFound, TooManyAnswers, StoreUnavailable */
  deliver(caller: Caller, taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void>;
  /** @throws TaskNotFound, StoreUnavailable */
  cancel(caller: Caller, taskId: string, reason: string): Promise<void>;
  /**
   * Waits until the task is terminal, a request is outstanding, `budgetMs` has passed or `signal` aborts, whichever is
   * first; answers as `get` does.
   * @throws TaskNotFound, StoreUnavailable
   */
  settle(caller: Caller, taskId: string, budgetMs: number, signal?: AbortSignal): Promise<DetailedTask>;
  /**
   * The task as `get` answers it now, then as it answers after each change, in order, up to the terminal state or until
   * `signal` aborts. Changes of its progress may come seconds late. A reader that lags behind is spared states in
   * between, but no outstanding request and no terminal state. An outage is waited for; a task that is not found any more
   * ends it.
   * @throws TaskNotFound, StoreUnavailable in place of the first; later only when it cannot go on
   */
  watch(caller: Caller, taskId: string, signal: AbortSignal): AsyncIterable<DetailedTask>;
  /**
   * The caller's tasks: those that run, the newest first, then those that ended, the latest first. A page may hold fewer
   * than `size`. A token is good for the same caller and the same filter only.
   * @throws StoreUnavailable
   */
  list(caller: Caller, page: PageRequest): Promise<TaskPage>;
  /** How many tasks of the caller have not ended; may lag seconds behind `get`. @throws StoreUnavailable */
  countOpen(caller: Caller): Promise<number>;
}

/** The task has taken as many answers as it may. */
export class TooManyAnswers extends Error {
  override readonly name = 'TooManyAnswers';
}

/** Unknown, malformed, expired, or not this caller's: one error for all. */
export class TaskNotFound extends Error {
  override readonly name = 'TaskNotFound';
}

/** One idempotency key, two different calls. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict';
}

/** More than the store takes. The message is for the caller. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

/** The store did not answer in time. The cause is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
