/**
 * `subscriptions/listen` with `taskIds`, whatever carries it. In this order: the acknowledgement with the ids that are
 * honoured, each task as it is, every change of it, and, when all tasks have ended or the server stops, the result.
 * Unknown, malformed and foreign ids are left out alike. Losing the stream never touches a task.
 */
import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { LISTEN_ACKNOWLEDGED, TASKS_NOTIFICATION } from '../protocol/extension.ts';
import { unaskable } from '../protocol/input-feature.ts';
import type { DetailedTask } from '../protocol/task.ts';
import type { TellRead } from './approvals/told-results.ts';
import type { Caller, Declared } from './caller.ts';
import type { ListenFilter } from './listen-filter.ts';
import { SERVER_INFO } from './server-info.ts';
import { stopOn, type Stop } from './stop-on.ts';
import { TaskNotFound, type TaskStore } from './task-store.ts';

export interface ListenParts {
  readonly store: TaskStore;
  readonly tellRead: TellRead;
  /** The server stops: every subscription ends with its result. */
  readonly draining: AbortSignal;
}

export interface ListenRequest {
  /** Also the subscription's id, in its own JSON type. */
  readonly id: string | number;
  readonly caller: Caller;
  readonly filter: ListenFilter;
  /** The client is gone or has cancelled: nothing more is sent. */
  readonly signal: AbortSignal;
  /** The caller is taken for who they are no longer: the subscription ends with its result. */
  readonly signedOut?: AbortSignal | undefined;
}

/** Sends one message after those before it. Resolves when there is room for another, or nobody is left to read it. */
export type SendMessage = (message: object) => Promise<void>;

export interface Subscription {
  /** Resolves at its end. Call it once. @throws when it cannot go on; the stream is then to be cut off */
  run(send: SendMessage): Promise<void>;
}

interface Watched {
  readonly taskId: string;
  readonly first: DetailedTask | undefined;
  readonly rest: AsyncIterator<DetailedTask>;
}

const LOOK_UPS_AT_ONCE = 32;

/** Looks the tasks up, and sends nothing yet. @throws StoreUnavailable */
export async function openSubscription(
  { store, tellRead, draining }: ListenParts,
  { id, caller, filter, signal, signedOut }: ListenRequest,
): Promise<Subscription> {
  const stop = stopOn(signal, draining, ...(signedOut === undefined ? [] : [signedOut]));
  const watched = await watchAll(store, caller, filter.taskIds, stop);
  const stamp = { [SUBSCRIPTION_ID_META_KEY]: id };
  const notify = (method: string, params: object): object => ({
    jsonrpc: '2.0',
    method,
    params: { ...params, _meta: stamp },
  });

  async function follow({ first, rest }: Watched, send: SendMessage): Promise<void> {
    for (let task = first; task !== undefined && !stop.signal.aborted; task = await nextOf(rest)) {
      if (!isShownTo(filter.declared, task)) continue;
      await send(notify(TASKS_NOTIFICATION, task));
      if (!signal.aborted) tellRead(caller, task);
    }
  }

  return {
    async run(send) {
      try {
        const taskIds = watched.map(({ taskId }) => taskId);
        await send(notify(LISTEN_ACKNOWLEDGED, { notifications: { taskIds } }));
        await Promise.all(watched.map((task) => follow(task, send)));
        if (signal.aborted) return;
        const result = { resultType: 'complete', _meta: { ...stamp, [SERVER_INFO_META_KEY]: SERVER_INFO } };
        await send({ jsonrpc: '2.0', id, result });
      } finally {
        stop.abort();
      }
    },
  };
}

/** Those of `taskIds` that are this caller's, in order. */
async function watchAll(
  store: TaskStore,
  caller: Caller,
  taskIds: readonly string[],
  stop: Stop,
): Promise<readonly Watched[]> {
  const found: (Watched | undefined)[] = [];
  const waiting = [...taskIds.entries()].values();
  async function lookUp(): Promise<void> {
    for (const [index, taskId] of waiting) {
      // Whoever has left needs no more look-ups.
      if (stop.signal.aborted) return;
      found[index] = await watchOne(store, caller, taskId, stop.signal);
    }
  }
  try {
    await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, lookUp));
  } catch (error) {
    stop.abort();
    throw error;
  }
  return found.filter((watched) => watched !== undefined);
}

async function watchOne(
  store: TaskStore,
  caller: Caller,
  taskId: string,
  signal: AbortSignal,
): Promise<Watched | undefined> {
  const rest = store.watch(caller, taskId, signal)[Symbol.asyncIterator]();
  try {
    return { taskId, first: await nextOf(rest), rest };
  } catch (error) {
    if (error instanceof TaskNotFound) return undefined;
    throw error;
  }
}

async function nextOf(tasks: AsyncIterator<DetailedTask>): Promise<DetailedTask | undefined> {
  const step = await tasks.next();
  return step.done === true ? undefined : step.value;
}

/** Nobody is shown a request of a kind they did not declare: that state is left out. */
function isShownTo(declared: Declared, task: DetailedTask): boolean {
  return task.status !== 'input_required' || unaskable(Object.values(task.inputRequests), declared).length === 0;
}
