/**
 * How many answers this process has passed on to each task. Every one is an event in a history that Temporal bounds:
 * a caller must not be able to fill it.
 */
import { LRUCache } from 'lru-cache';
import { TooManyAnswers } from '../task-store.ts';

const MAX_TASKS = 10_000;

export class AnswerCounts {
  readonly #byWorkflow = new LRUCache<string, number>({ max: MAX_TASKS });
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws TooManyAnswers */
  add(workflowId: string): void {
    const count = this.#byWorkflow.get(workflowId) ?? 0;
    if (count >= this.#limit) throw new TooManyAnswers('The task has taken as many answers as it may.');
    this.#byWorkflow.set(workflowId, count + 1);
  }
}
