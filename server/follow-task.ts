/**
 * Waits for the end of a task, and meanwhile puts its questions to a client that takes requests on its connection; what
 * comes back is delivered into the workflow. A question is put once in each wait; whoever waits again is asked again.
 */
import { unaskable, type ClientFeatures } from '../protocol/input-feature.ts';
import { isTerminal, type DetailedTask, type InputRequest, type InputRequests } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import { stopOn } from './stop-on.ts';
import type { TaskStore } from './task-store.ts';

export interface FollowParts {
  readonly store: TaskStore;
  readonly caller: Caller;
}

export interface Question {
  readonly taskId: string;
  readonly key: string;
  readonly request: InputRequest;
}

/** A client that takes requests of the server. */
export interface AskClient {
  /** It is asked nothing else. */
  readonly features: ClientFeatures;
  /**
   * Its response. What it answers with an error counts as `null`, which fits nothing. Where the response comes another way
   * and is delivered there, this ends with `signal`. @throws when it is gone
   */
  put(question: Question, signal: AbortSignal): Promise<unknown>;
}

export interface Following {
  /** Any of them ends the wait. */
  readonly until: readonly AbortSignal[];
  readonly ask?: AskClient | undefined;
  readonly onChange?: ((task: DetailedTask) => void) | undefined;
}

/** The task at its end, or as it was seen last. @throws TaskNotFound, StoreUnavailable */
export async function followTask(
  { store, caller }: FollowParts,
  { until, ask, onChange }: Following,
  taskId: string,
): Promise<DetailedTask> {
  const stop = stopOn(...until);
  const asked = new Map<string, AbortController>();
  let failure: Error | undefined;

  async function put(question: Question, askClient: AskClient, withdrawn: AbortSignal): Promise<void> {
    const end = stopOn(stop.signal, withdrawn);
    try {
      const response = await askClient.put(question, end.signal);
      if (!end.signal.aborted) await store.deliver(caller, taskId, { [question.key]: response });
    } catch (error) {
      if (end.signal.aborted) return;
      // The task still shows the question: this wait ends, and whoever waits next is asked again.
      failure = error instanceof Error ? error : new Error('A question was not put.', { cause: error });
      stop.abort();
    } finally {
      end.abort();
    }
  }

  function putOpenQuestions(open: InputRequests, askClient: AskClient): void {
    for (const [key, withdrawn] of asked) if (!Object.hasOwn(open, key)) withdrawn.abort();
    for (const [key, request] of Object.entries(open)) {
      if (asked.has(key) || unaskable([request], askClient.features).length > 0) continue;
      const withdrawn = new AbortController();
      asked.set(key, withdrawn);
      void put({ taskId, key, request }, askClient, withdrawn.signal);
    }
  }

  try {
    let latest: DetailedTask | undefined;
    for await (const task of store.watch(caller, taskId, stop.signal)) {
      latest = task;
      onChange?.(task);
      if (isTerminal(task.status)) break;
      if (ask !== undefined) putOpenQuestions(task.status === 'input_required' ? task.inputRequests : {}, ask);
    }
    if (failure !== undefined) throw failure;
    return latest ?? (await store.get(caller, taskId));
  } finally {
    stop.abort();
  }
}
