/**
 * The answers that this process has delivered of late, by run. While a workflow task is started, Temporal keeps what
 * arrives in a buffer that no history shows; if its worker is dead or slow, only who delivered an answer knows of it.
 *
 * A hint, not state: without it a reader sees the answer as soon as that workflow task has ended. It is never wrong, since a
 * key that Temporal has an answer for is closed for good in its run.
 */
import { LRUCache } from 'lru-cache';
import type { TaskInput } from '../../workflows/contract.ts';

/** Longer than a workflow task may last (Temporal's default of 10 s): afterwards the history shows them. */
const KEPT_MS = 15_000;
const MAX_RUNS = 10_000;

/** The keys that were answered, and when this process had the answers. */
export type AckedInput = Pick<TaskInput, 'receivedAt'> & { readonly keys: readonly string[] };

export class AckedInputs {
  readonly #byRun = new LRUCache<string, readonly AckedInput[]>({ max: MAX_RUNS, ttl: KEPT_MS });

  add(runId: string, { responses, receivedAt }: TaskInput): void {
    const keys = Object.keys(responses);
    this.#byRun.set(runId, [...this.of(runId), { keys, receivedAt }]);
  }

  /** Oldest first. */
  of(runId: string): readonly AckedInput[] {
    const since = Date.now() - KEPT_MS;
    return this.#byRun.get(runId)?.filter(({ receivedAt }) => receivedAt > since) ?? [];
  }
}
