/** A small double of the task store for unit tests of server/. The truth is the store on Temporal. */
import { randomBytes } from 'node:crypto';
import { next, seedState, statusOf, type Outcome, type TaskEvent, type TaskState } from '../../protocol/task-state.ts';
import { toDetailedTask } from '../../protocol/detailed-task.ts';
import { isTerminal, type DetailedTask, type InputRequests } from '../../protocol/task.ts';
import type { Caller } from '../../server/caller.ts';
import { TaskUpdates } from '../../server/task-updates.ts';
import {
  IdempotencyConflict,
  TaskNotFound,
  type CreatedTask,
  type NewTask,
  type PageRequest,
  type TaskPage,
  type TaskStore,
} from '../../server/task-store.ts';

interface Entry {
  readonly owner: string;
  readonly call: NewTask;
  state: TaskState;
  cancelReason?: string;
  readonly delivered: Record<string, unknown>[];
  readonly watchers: Set<TaskUpdates>;
}

const RETENTION_MS = 60_000;
const SETTLE_STEP_MS = 5;

export class InMemoryTaskStore implements TaskStore {
  readonly entries = new Map<string, Entry>();
  /** Plays the worker: called when a task has been created. */
  onCreated: (taskId: string, task: NewTask) => void = () => undefined;
  /** Thrown by the next call of any method. */
  nextError: Error | undefined;

  async create(caller: Caller, call: NewTask): Promise<CreatedTask> {
    this.#failIfTold();
    const known = this.#keyed(caller, call.idempotencyKey);
    if (known !== undefined) {
      const [, { call: first, state }] = known;
      if (first.tool !== call.tool || JSON.stringify(first.args) !== JSON.stringify(call.args)) {
        throw new IdempotencyConflict();
      }
      return { task: toDetailedTask(state), isNew: false };
    }
    const taskId = randomBytes(16).toString('base64url');
    const { ttlMs, pollIntervalMs } = call;
    const state = seedState({ taskId, createdAt: Date.now(), ttlMs, pollIntervalMs });
    this.entries.set(taskId, { owner: caller.principal, call, state, delivered: [], watchers: new Set() });
    this.onCreated(taskId, call);
    return { task: toDetailedTask(state), isNew: true };
  }

  async hasKey(caller: Caller, idempotencyKey: string): Promise<boolean> {
    this.#failIfTold();
    return this.#keyed(caller, idempotencyKey) !== undefined;
  }

  async get(caller: Caller, taskId: string): Promise<DetailedTask> {
    this.#failIfTold();
    return toDetailedTask(this.#owned(caller, taskId).state);
  }

  async deliver(caller: Caller, taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    this.#failIfTold();
    const entry = this.#owned(caller, taskId);
    entry.delivered.push({ ...responses });
    const keys = Object.keys(responses).filter((key) => responses[key] !== null);
    this.#apply(taskId, { type: 'answered', at: Date.now(), receivedAt: Date.now(), keys });
  }

  async cancel(caller: Caller, taskId: string, reason: string): Promise<void> {
    this.#failIfTold();
    const entry = this.#owned(caller, taskId);
    entry.cancelReason ??= reason;
    this.#apply(taskId, { type: 'cancelRequested', at: Date.now() });
    this.finish(taskId, { status: 'cancelled' });
  }

  async settle(caller: Caller, taskId: string, budgetMs: number, signal?: AbortSignal): Promise<DetailedTask> {
    this.#failIfTold();
    const endsAt = performance.now() + budgetMs;
    for (;;) {
      const { state } = this.#owned(caller, taskId);
      const isSettled = isTerminal(statusOf(state)) || statusOf(state) === 'input_required';
      if (isSettled || signal?.aborted === true || performance.now() >= endsAt) return toDetailedTask(state);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS));
    }
  }

  async *watch(caller: Caller, taskId: string, signal: AbortSignal): AsyncIterable<DetailedTask> {
    this.#failIfTold();
    const { state, watchers } = this.#owned(caller, taskId);
    const updates = new TaskUpdates();
    const leave = (): void => {
      watchers.delete(updates);
      updates.end();
    };
    watchers.add(updates);
    updates.offer({ state, life: 0 });
    signal.addEventListener('abort', leave, { once: true });
    try {
      if (!signal.aborted) yield* updates;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  /** Open watches, over all tasks. */
  get watcherCount(): number {
    return [...this.entries.values()].reduce((count, { watchers }) => count + watchers.size, 0);
  }

  async list({ principal }: Caller, { size, token = '0', filter = {} }: PageRequest): Promise<TaskPage> {
    this.#failIfTold();
    const { tool, status, createdFrom = -Infinity, createdBefore = Infinity } = filter;
    const own = [...this.entries.values()]
      .filter(({ owner }) => owner === principal)
      .map(({ state, call }) => ({ ...toDetailedTask(state), tool: call.tool, status: statusOf(state) }))
      .filter((task) => tool === undefined || task.tool === tool)
      .filter((task) => status === undefined || task.status === status)
      .filter(({ createdAt }) => Date.parse(createdAt) >= createdFrom && Date.parse(createdAt) < createdBefore)
      .toReversed();
    const end = Number(token) + size;
    return { tasks: own.slice(Number(token), end), ...(end < own.length ? { nextPageToken: String(end) } : {}) };
  }

  async countOpen({ principal }: Caller): Promise<number> {
    this.#failIfTold();
    const own = [...this.entries.values()].filter(({ owner }) => owner === principal);
    return own.filter(({ state }) => !isTerminal(statusOf(state))).length;
  }

  finish(taskId: string, outcome: Outcome): void {
    this.#apply(taskId, { type: 'ended', at: Date.now(), outcome, resultRetentionMs: RETENTION_MS });
  }
  finishWithText(taskId: string, text: string): void {
    this.finish(taskId, { status: 'completed', result: { content: [{ type: 'text', text }] } });
  }
  ask(taskId: string, requests: InputRequests): void {
    this.#apply(taskId, { type: 'asked', at: Date.now(), requests });
  }
  report(taskId: string, message: string): void {
    this.#apply(taskId, { type: 'reported', at: Date.now(), message });
  }

  #keyed({ principal }: Caller, idempotencyKey: string | undefined): [string, Entry] | undefined {
    if (idempotencyKey === undefined) return undefined;
    return [...this.entries].find(
      ([, { owner, call }]) => owner === principal && call.idempotencyKey === idempotencyKey,
    );
  }
  #apply(taskId: string, event: TaskEvent): void {
    const entry = this.entries.get(taskId);
    if (entry === undefined) return;
    entry.state = next(entry.state, event);
    for (const updates of entry.watchers) updates.offer({ state: entry.state, life: 0 });
  }
  #owned(caller: Caller, taskId: string): Entry {
    const entry = this.entries.get(taskId);
    if (entry?.owner !== caller.principal) throw new TaskNotFound();
    return entry;
  }
  #failIfTold(): void {
    const error = this.nextError;
    this.nextError = undefined;
    if (error !== undefined) throw error;
  }
}
