/**
 * What has happened to the task and is not recorded yet. It goes out once an activation, by a local activity. A database that
 * is away holds up nothing: what could not be recorded waits in an activity that Temporal tries again, and what is left when
 * the task ends in a workflow of its own.
 */
import {
  CancellationScope,
  condition,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  startChild,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Act, ActBatch, NewAct } from '../protocol/act.ts';
import type { Approval } from '../protocol/approval.ts';
import type { Told } from '../protocol/acts-of.ts';
import type { JsonObject } from '../protocol/task.ts';
import { CALL_MEMO, type CallMemo, type CarriedActs, type ToolTaskInput } from './contract.ts';

const now = proxyLocalActivities<Activities>({
  startToCloseTimeout: '3 seconds',
  retry: { maximumAttempts: 1 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});
/** Temporal keeps count of the attempts: none of them is an event of the history. */
const inTheEnd = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  cancellationType: 'TRY_CANCEL',
  summary: 'Record what happened',
});

/** Type of the workflow that records what was left when its task ended. No tool has this name. */
export const LATE_ACTS = 'record_acts';
const LATE_FOR = '30 days';
const MAX_BATCH = 50;
/** So many are not kept waiting in the task: they would be carried from run to run. */
const HAND_OVER_AT = 100;

export class ActOutbox {
  readonly told: Told;
  readonly #task: ActBatch['task'];
  /** Runs of before there was an audit record nothing: their histories know of no such step. */
  readonly #isOn: boolean;
  #unsent: readonly Act[];
  #next: number;
  readonly #beginning: JsonObject;
  #isEnding = false;

  constructor({ acts, caller, seed, carried, requester, requestedBy = 'unknown' }: ToolTaskInput) {
    const { workflowId, workflowType: tool, startTime } = workflowInfo();
    this.told = { tool, requestedBy };
    this.#task = { workflowId, taskId: seed.taskId, tool, caller };
    this.#isOn = acts === true;
    this.#beginning = {
      // Extending moves it.
      deadlineAt: new Date(startTime.getTime() + seed.ttlMs).toISOString(),
      ...(requester === undefined ? {} : { requester: { ...requester } }),
    };
    this.#unsent = carried?.acts?.unsent ?? [];
    this.#next = carried?.acts?.next ?? 0;
  }

  /** Absent: nothing is recorded. */
  get carried(): CarriedActs | undefined {
    return this.#isOn ? { next: this.#next, unsent: this.#unsent } : undefined;
  }

  note(act: NewAct): void {
    if (!this.#isOn) return;
    this.#unsent = [...this.#unsent, { ...act, seq: this.#next, at: Date.now() }];
    this.#next += 1;
  }

  /** Until the task ends. `isSettled`: nothing more comes of this activation. `queue`: the approvals that wait. */
  async keepSending(isSettled: () => boolean, queue: () => readonly Approval[]): Promise<void> {
    if (this.#next === 0) this.#begin();
    for (;;) {
      await condition(() => this.#unsent.length > 0 && !this.#isEnding && isSettled());
      await untilAtRest();
      if (this.#isEnding) continue;
      const batch = this.#batch(queue());
      if (!(await this.#sendNow(batch))) await this.#sendInTheEnd(batch);
    }
  }

  #begin(): void {
    const { tool, caller } = this.#task;
    const call = workflowInfo().memo?.[CALL_MEMO] as CallMemo | undefined;
    const data = { tool, caller, argumentsDigest: call?.argumentsDigest ?? '', ...this.#beginning };
    this.note({ type: 'created', about: '', by: this.told.requestedBy, data });
  }

  /** Sends what is left, or leaves it to somebody who has the time. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    while (this.#unsent.length > 0) {
      if (!(await this.#sendNow(this.#batch([])))) await this.#handOver();
    }
  }

  async #sendNow(batch: ActBatch): Promise<boolean> {
    try {
      await now.recordActs(batch);
    } catch (error) {
      // A local activity that fails is no ActivityFailure.
      if (error instanceof TemporalFailure) return false;
      throw error;
    }
    this.#drop(batch);
    return true;
  }

  async #sendInTheEnd(batch: ActBatch): Promise<void> {
    const scope = new CancellationScope();
    const first = batch.acts[0]?.seq;
    const isSent = (): boolean => this.#unsent[0]?.seq !== first;
    const sending = scope.run(() => inTheEnd.recordActs(batch)).then(() => this.#drop(batch));
    // It is cancelled when somebody else has taken over.
    sending.catch(() => undefined);
    await condition(() => isSent() || this.#isEnding || this.#unsent.length >= HAND_OVER_AT);
    if (isSent() || this.#isEnding) return;
    await this.#handOver();
    scope.cancel();
  }

  async #handOver(): Promise<void> {
    const { workflowId, runId } = workflowInfo();
    while (this.#unsent.length > 0) {
      const batch = this.#batch([]);
      const first = batch.acts[0]?.seq ?? this.#next;
      await startChild(LATE_ACTS, {
        args: [batch],
        // A run that was reset may hand over other acts under the same numbers.
        workflowId: `${workflowId}/acts/${runId}/${String(first)}`,
        workflowExecutionTimeout: LATE_FOR,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: 'ABANDON',
        staticSummary: 'Records what happened to a task while the database was away',
      });
      this.#drop(batch);
    }
  }

  #batch(queue: readonly Approval[]): ActBatch {
    return { task: this.#task, acts: this.#unsent.slice(0, MAX_BATCH), queue };
  }

  #drop({ acts }: ActBatch): void {
    const last = acts.at(-1)?.seq ?? -1;
    this.#unsent = this.#unsent.filter(({ seq }) => seq > last);
  }
}

/** Until all that this activation has set going has come to rest: conditions are looked at again only then. */
async function untilAtRest(): Promise<void> {
  let looks = 0;
  await condition(() => (looks += 1) > 1);
}

/** The workflow of what was left: it ends when it is recorded. */
export async function recordLateActs(batch: ActBatch): Promise<{ readonly recorded: number }> {
  await inTheEnd.recordActs(batch);
  return { recorded: batch.acts.length };
}
