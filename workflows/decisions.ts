/**
 * I7: what one activation brings is recorded first and decided once, in the order cancel, deadline, answers.
 *
 * The SDK applies all jobs of an activation before anything that waits goes on, but what then goes on first is a matter of
 * promise hops. So handlers and timers only record and wake, and the decision reads the root scope and the clock itself:
 * after an outage of all workers a late answer must not win over the cancel or the deadline it missed.
 */
import { condition, type CancellationScope } from '@temporalio/workflow';
import type { Decision, DecisionVerdict } from '../protocol/decision.ts';
import type { ApprovalBook } from './approvals.ts';
import type { TaskInput } from './contract.ts';
import type { InputRequestBook } from './input-requests.ts';
import type { TaskRecord } from './task-record.ts';

interface RecordedDecision {
  readonly decision: Decision;
  readonly receivedAt: number;
  readonly told: (verdict: DecisionVerdict) => void;
}

export class Decisions {
  /** The scope that Temporal cancels. */
  readonly #root: CancellationScope;
  #isDue = false;
  #inputs: TaskInput[] = [];
  #decisions: RecordedDecision[] = [];

  constructor(root: CancellationScope) {
    this.#root = root;
    root.cancelRequested.catch(() => {
      this.wake();
    });
  }

  recordInput(input: TaskInput): void {
    this.#inputs.push(input);
    this.#isDue = true;
  }
  /** Resolves once it has been decided whether the decision counts. */
  recordDecision(decision: Decision, receivedAt: number): Promise<DecisionVerdict> {
    return new Promise((told) => {
      this.#decisions.push({ decision, receivedAt, told });
      this.#isDue = true;
    });
  }
  wake(): void {
    this.#isDue = true;
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  decide(record: TaskRecord, book: InputRequestBook, approvals: ApprovalBook): void {
    const inputs = this.#inputs;
    const decisions = this.#decisions;
    this.#inputs = [];
    this.#decisions = [];
    this.#isDue = false;
    if (this.#root.consideredCancelled) record.apply({ type: 'cancelRequested' });
    if (Date.now() >= record.state.deadlineAt) record.apply({ type: 'deadlinePassed' });
    // A front whose clock is ahead does not make an answer late: the deadline counts on Temporal's clock.
    for (const { responses, receivedAt } of inputs) book.deliver(responses, Math.min(receivedAt, Date.now()));
    approvals.expireDue();
    for (const { decision, receivedAt, told } of decisions) told(approvals.judge(decision, receivedAt));
  }
}

/** Wakes the decision when the deadline passes, wherever `extend` has moved it meanwhile. Ends when the task does. */
export async function watchDeadline(record: TaskRecord, decisions: Decisions): Promise<void> {
  for (;;) {
    const { deadlineAt } = record.state;
    const isMoot = (): boolean => record.state.settling !== undefined || record.state.ending !== undefined;
    const remainingMs = Math.max(deadlineAt - Date.now(), 1);
    const summary = `Task expires at ${new Date(deadlineAt).toISOString()}`;
    const hasChanged = await condition(() => isMoot() || record.state.deadlineAt !== deadlineAt, remainingMs, {
      summary,
    });
    if (!hasChanged) decisions.wake();
    if (!hasChanged || isMoot()) return;
  }
}
