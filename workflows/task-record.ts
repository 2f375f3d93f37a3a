/**
 * The state of one running task and where it is shown: memo (for `tasks/get`), search attributes, the run page of the
 * Temporal UI. The workflow changes the state at once and publishes once per activation, so that a reader never sees
 * half of what one activation did.
 */
import {
  condition,
  proxySinks,
  setCurrentDetails,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  next,
  statusOf,
  toSnapshot,
  type TaskEvent,
  type TaskSnapshot,
  type TaskState,
} from '../protocol/task-state.ts';
import type { NewAct } from '../protocol/act.ts';
import { actsOf } from '../protocol/acts-of.ts';
import type { TaskStatus } from '../protocol/task.ts';
import type { ActOutbox } from './acts.ts';
import { expiresAtAttribute, statusAttribute, TASK_MEMO, type CarriedState, type TaskSinks } from './contract.ts';
import { approvalAttributes } from './approval-attributes.ts';
import { runDetails } from './run-details.ts';

/** An event without its time: the record stamps it with the workflow's clock. */
type Undated = TaskEvent extends infer E ? (E extends TaskEvent ? Omit<E, 'at'> : never) : never;

const REPORT_INTERVAL_MS = 1_000;
const MAX_REPORTS_PUBLISHED = 200;
/** The next run's input must not grow with the life of the task. */
const STEPS_CARRIED = 30;

const { tasks: counters } = proxySinks<TaskSinks>();

export class TaskRecord {
  #state: TaskState;
  #published: TaskSnapshot;
  #publishedAt = 0;
  #reportsPublished = 0;
  #statusSince = Date.now();
  #changeCount = 0;
  /** The attributes that the start set. */
  #shown: { status: TaskStatus; ttlMs: number };
  #facts: Record<string, string>;
  #steps: string[];
  readonly #acts: ActOutbox | undefined;

  /** `published`: what the start of this run wrote into the memo. `acts`: where what happens is told. */
  constructor(state: TaskState, published: TaskSnapshot, carried?: CarriedState, acts?: ActOutbox) {
    this.#state = state;
    this.#published = published;
    this.#shown = { status: statusOf(published), ttlMs: published.ttlMs };
    this.#facts = { ...carried?.facts };
    this.#steps = [...(carried?.finishedSteps ?? [])];
    this.#acts = acts;
  }

  get state(): TaskState {
    return this.#state;
  }
  /** What every reader is shown: the memo and the answer of the `task` Query. */
  get published(): TaskSnapshot {
    return this.#published;
  }
  get carried(): CarriedState {
    const acts = this.#acts?.carried;
    return {
      snapshot: toSnapshot(this.#state),
      facts: this.#facts,
      finishedSteps: this.#steps.slice(-STEPS_CARRIED),
      ...(acts === undefined ? {} : { acts }),
    };
  }

  /** @returns whether the event changed anything */
  apply(event: Undated): boolean {
    const before = this.#state;
    const dated: TaskEvent = { ...event, at: Date.now() };
    this.#state = next(before, dated);
    if (this.#state === before) return false;
    if (this.#acts !== undefined) {
      for (const act of actsOf(before, this.#state, dated, this.#acts.told)) this.#acts.note(act);
    }
    return true;
  }
  /** What happened without any change of the state. */
  note(act: NewAct): void {
    this.#acts?.note(act);
  }
  describe(facts: Readonly<Record<string, string>>): void {
    Object.assign(this.#facts, facts);
    this.#showDetails();
  }
  finishStep(words: string): void {
    this.#steps.push(words);
    this.#showDetails();
  }

  get isDirty(): boolean {
    return this.#state.rev > this.#published.rev;
  }
  /** A change of anything but the status message goes out at once; a report waits until the last one is a second old. */
  async untilDue(): Promise<void> {
    const isReportOnly = (): boolean => isSameButMessage(this.#state, this.#published);
    if (!isReportOnly()) return;
    if (this.#reportsPublished >= MAX_REPORTS_PUBLISHED) {
      await condition(() => !isReportOnly());
      return;
    }
    this.#reportsPublished += 1;
    const waitMs = this.#publishedAt + REPORT_INTERVAL_MS - Date.now();
    if (waitMs > 0) await condition(() => !isReportOnly(), waitMs, { summary: 'Next progress report' });
  }

  publish(): void {
    const snapshot = toSnapshot(this.#state);
    const status = snapshot.settling?.status ?? statusOf(snapshot);
    const attributes = approvalAttributes(this.#published, snapshot);
    upsertMemo({ [TASK_MEMO]: snapshot });
    if (attributes !== undefined) upsertSearchAttributes(attributes);
    this.#published = snapshot;
    this.#publishedAt = Date.now();
    this.#showAttributes(status, snapshot);
    this.#showDetails();
  }

  #showAttributes(status: TaskStatus, { ttlMs, deadlineAt }: TaskSnapshot): void {
    const before = this.#shown;
    this.#shown = { status, ttlMs };
    if (ttlMs !== before.ttlMs) upsertSearchAttributes([{ key: expiresAtAttribute, value: new Date(deadlineAt) }]);
    if (status === before.status) return;
    upsertSearchAttributes([{ key: statusAttribute, value: status }]);
    this.#changeCount += 1;
    counters.statusChanged(workflowInfo().workflowType, {
      from: before.status,
      to: status,
      heldMs: Date.now() - this.#statusSince,
      ordinal: this.#changeCount,
    });
    this.#statusSince = Date.now();
  }

  #showDetails(): void {
    setCurrentDetails(runDetails(this.#state, this.#facts, this.#steps));
  }
}

function isSameButMessage(a: TaskSnapshot, b: TaskSnapshot): boolean {
  return (
    a.requests === b.requests &&
    a.approvals === b.approvals &&
    a.deadlineAt === b.deadlineAt &&
    a.ending === b.ending &&
    a.settling === b.settling
  );
}
