/**
 * What one subscriber has yet to see of one task. It does not grow with the slowness of its reader: a state that nobody
 * has taken is replaced by the next one, unless it shows a request that the next one does not show any more. So states
 * may be merged, and no request and no terminal state is missed.
 */
import { isDeepStrictEqual } from 'node:util';
import { statusOf, type TaskSnapshot } from '../protocol/task-state.ts';
import { toDetailedTask } from '../protocol/detailed-task.ts';
import { isTerminal, type DetailedTask } from '../protocol/task.ts';

export interface TaskView {
  readonly state: TaskSnapshot;
  /** `rev` orders the states of one life. An operator who resets a task begins another life, which counts from lower. */
  readonly life: number;
}

interface Pending {
  readonly task: DetailedTask;
  /** Requests that this state shows for the first time. */
  readonly freshKeys: readonly string[];
}

/** Only requests that came and went make a queue. Who is so many behind follows no more. */
const MAX_PENDING = 100;

export class TaskUpdates implements AsyncIterable<DetailedTask> {
  readonly #shownKeys = new Set<string>();
  #pending: Pending[] = [];
  #newest: { readonly life: number; readonly rev: number; readonly task: DetailedTask } | undefined;
  #isOver = false;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** Ignored when it is older than what was offered before, or looks the same. A terminal state is the last. */
  offer({ state, life }: TaskView): void {
    const newest = this.#newest;
    const isEnd = isTerminal(statusOf(state));
    const isOlder =
      newest !== undefined && !isEnd && (life < newest.life || (life === newest.life && state.rev < newest.rev));
    if (this.#isOver || isOlder) return;
    const task = toDetailedTask(state);
    this.#newest = { life, rev: state.rev, task };
    this.#isOver = isEnd;
    if (isDeepStrictEqual(task, newest?.task)) return;
    this.#enqueue(task, state);
    this.#wake();
  }

  /** What is pending is still handed out. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Nothing more is handed out; the reader's turn throws. */
  fail(error: Error): void {
    this.#pending = [];
    this.#isOver = true;
    this.#failure ??= error;
    this.#wake();
  }

  /** @throws when the reader has fallen too far behind */
  async *[Symbol.asyncIterator](): AsyncGenerator<DetailedTask, void, void> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const next = this.#pending.shift();
      if (next !== undefined) yield next.task;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #enqueue(task: DetailedTask, { requests }: TaskSnapshot): void {
    const freshKeys = Object.keys(requests).filter((key) => !this.#shownKeys.has(key));
    for (const key of freshKeys) this.#shownKeys.add(key);
    const tail = this.#pending.at(-1);
    const isReplaced = tail?.freshKeys.every((key) => Object.hasOwn(requests, key)) ?? false;
    if (isReplaced) this.#pending.pop();
    this.#pending.push({ task, freshKeys: isReplaced ? [...(tail?.freshKeys ?? []), ...freshKeys] : freshKeys });
    if (this.#pending.length <= MAX_PENDING) return;
    this.fail(new Error(`A subscriber is more than ${MAX_PENDING} states of task ${task.taskId} behind.`));
  }
}
