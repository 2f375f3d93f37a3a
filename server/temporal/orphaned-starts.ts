/**
 * Tasks that may run although nobody can name them: the reply to their start was lost, and no idempotency key leads to them
 * again. Each is asked to cancel in the background, one at a time, as long as the connection is open. What stays after that
 * ends at its deadline.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../task-store.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
const CALL_BUDGET_MS = 2_000;
/** Temporal may still be at work on a start that the front has given up: only later is "not found" the last word. */
const IN_FLIGHT_MS = 10_000;
const GIVE_UP_MS = 10 * 60_000;
/** What an outage under load leaves behind must not fill the memory. */
const MAX_ORPHANS = 1_000;
const REASON = 'the start of this task was not answered: nobody knows its id';

export class OrphanedStarts {
  readonly #service: TemporalService;
  /** By workflow id: when the start was given up, on the monotonic clock. */
  readonly #givenUpAt = new Map<string, number>();
  #isAtWork = false;

  constructor(service: TemporalService) {
    this.#service = service;
  }

  add(workflowId: string): void {
    if (this.#givenUpAt.size >= MAX_ORPHANS) return;
    this.#givenUpAt.set(workflowId, performance.now());
    if (!this.#isAtWork) void this.#work();
  }

  async #work(): Promise<void> {
    const { closed } = this.#service;
    this.#isAtWork = true;
    for (let pauseMs = FIRST_PAUSE_MS; this.#givenUpAt.size > 0; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      const jitteredMs = pauseMs * (0.5 + Math.random() / 2);
      await delay(jitteredMs, undefined, { signal: closed, ref: false }).catch(() => undefined);
      if (closed.aborted) this.#givenUpAt.clear();
      await this.#cancelAll();
    }
    this.#isAtWork = false;
  }

  async #cancelAll(): Promise<void> {
    const now = performance.now();
    for (const [workflowId, at] of this.#givenUpAt) if (now - at > GIVE_UP_MS) this.#givenUpAt.delete(workflowId);
    for (const [workflowId, at] of this.#givenUpAt) {
      const outcome = await this.#cancel(workflowId);
      // The others would fare no better.
      if (outcome === 'unavailable') return;
      if (outcome === 'settled' || now - at > IN_FLIGHT_MS) this.#givenUpAt.delete(workflowId);
    }
  }

  async #cancel(workflowId: string): Promise<'settled' | 'not-found' | 'unavailable'> {
    const { namespace } = this.#service;
    const request = { namespace, workflowExecution: { workflowId }, requestId: randomUUID(), reason: REASON };
    try {
      await this.#service.call((rpc) => rpc.requestCancelWorkflowExecution(request), CALL_BUDGET_MS);
      return 'settled';
    } catch (error) {
      if (error instanceof StoreUnavailable) return 'unavailable';
      // Whatever else Temporal says, it will say again.
      return isWorkflowNotFound(error) ? 'not-found' : 'settled';
    }
  }
}
