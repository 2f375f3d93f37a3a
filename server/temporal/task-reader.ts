/**
 * Reads a task as its caller may see it: his own acknowledged answers and cancels included, from any front, with any
 * number of readers, with no worker running. `docs/decisions` says why it takes these steps.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fromSnapshot, next, toSnapshot, type TaskSnapshot, type TaskState } from '../../protocol/task-state.ts';
import type { BlobStore } from '../../store/blobs.ts';
import { taskQuery } from '../../workflows/contract.ts';
import { AckedInputs, type AckedInput } from './acked-inputs.ts';
import { outcomeOf, type CloseEvent } from './close-event.ts';
import { StoreUnavailable } from '../task-store.ts';
import { createOutcomeCache } from './outcome-cache.ts';
import { readHistoryTail, type HistoryTail, type UndecidedInput } from './history-tail.ts';
import { describeTask, type TaskDescription } from './task-description.ts';
import type { TaskPlace } from './task-ids.ts';
import type { TemporalService } from './temporal-service.ts';

/** A hot worker answers within a few ms; longer means that it is gone or busy. */
const QUERY_BUDGET_MS = 300;
const SETTLE_POLL_MS = 10;
const SETTLE_BUDGET_MS = 300;
/** Every further look means that a worker has decided in between: no task does that for so long. */
const GIVE_UP_MS = 5_000;

export interface ReadTask {
  readonly state: TaskSnapshot;
  readonly description: TaskDescription;
}

interface ReaderOptions {
  readonly service: TemporalService;
  readonly blobs: BlobStore;
  readonly resultRetentionMs: number;
}

export class TaskReader {
  readonly #options: ReaderOptions;
  readonly #outcomes = createOutcomeCache();

  /** To be told of every answer that this process delivers. */
  readonly acked = new AckedInputs();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** `undefined`: unknown, or ended longer ago than results are kept. `met` spares calls, should the run have closed. */
  async read({ principal, workflowId }: TaskPlace, met?: CloseEvent): Promise<ReadTask | undefined> {
    const description = met?.description ?? (await describeTask(this.#options.service, workflowId));
    if (description === undefined) return undefined;
    if (description.isClosed) return this.#closed(principal, description, met);
    return this.#running(principal, description);
  }

  async #closed(caller: string, description: TaskDescription, met?: CloseEvent): Promise<ReadTask | undefined> {
    const { service, blobs, resultRetentionMs } = this.#options;
    if (description.closedAt + resultRetentionMs < Date.now()) return undefined;
    const known = this.#outcomes.get(description.runId);
    const outcome = known ?? (await outcomeOf({ service, blobs, caller }, description, met));
    if (known === undefined) this.#outcomes.set(description.runId, outcome);
    const ended = next(fromSnapshot(description.snapshot), {
      type: 'ended',
      at: description.closedAt,
      outcome,
      resultRetentionMs,
    });
    return { state: toSnapshot(ended), description };
  }

  async #running(caller: string, first: TaskDescription): Promise<ReadTask | undefined> {
    const startedAt = Date.now();
    for (let description: TaskDescription = first; ;) {
      const mayQuery = Date.now() - startedAt < SETTLE_BUDGET_MS;
      const state = await this.#stateOf(description, mayQuery);
      if (state !== undefined) return { state: toSnapshot(withProgress(state, description)), description };
      if (Date.now() - startedAt > GIVE_UP_MS) throw new StoreUnavailable('The task changes too fast to be read.');
      await delay(SETTLE_POLL_MS);
      const again = await describeTask(this.#options.service, description.workflowId);
      if (again === undefined || again.isClosed) return again && this.#closed(caller, again);
      description = again;
    }
  }

  /** `undefined`: a worker is deciding; look again. */
  async #stateOf(description: TaskDescription, mayQuery: boolean): Promise<TaskState | undefined> {
    const { snapshot, pendingWorkflowTask } = description;
    const state = fromSnapshot(snapshot);
    if (pendingWorkflowTask === 'none') return withEnding(state, description);
    if (pendingWorkflowTask === 'started' && mayQuery) {
      // Signals that arrived since may be buffered outside the history. A Query waits behind the workflow task.
      const answer = await this.#query(description);
      return answer && withEnding(fromSnapshot(answer), description);
    }
    // This clock only tells whether it is worth a look: Temporal's decides.
    const mayHaveExpired = Date.now() >= snapshot.deadlineAt;
    if (Object.keys(snapshot.requests).length === 0 && !mayHaveExpired) return withEnding(state, description);
    const tail = await readHistoryTail(this.#options.service, description);
    // Without a tail the snapshot is behind what a worker has decided since: only the next description is not.
    if (tail === undefined) return undefined;
    const known = this.acked.of(description.runId).reduce(withAcked, tail.inputs.reduce(withInput, state));
    return withEnding(known, description, tail);
  }

  /** `undefined` when refused or late: one Query a workflow is buffered, further ones fail at once. */
  async #query({ workflowId, runId }: TaskDescription): Promise<TaskSnapshot | undefined> {
    const { service } = this.#options;
    const { namespace } = service;
    try {
      const { queryResult } = await service.longPoll(
        (rpc) =>
          rpc.queryWorkflow({ namespace, execution: { workflowId, runId }, query: { queryType: taskQuery.name } }),
        Date.now() + QUERY_BUDGET_MS,
        AbortSignal.timeout(QUERY_BUDGET_MS),
      );
      return (await service.client.decode(queryResult?.payloads?.[0])) as TaskSnapshot | undefined;
    } catch {
      return undefined;
    }
  }
}

/** An answer is not late because a front's clock is ahead: Temporal had it at `at`. */
function withInput(state: TaskState, { input, at }: UndecidedInput): TaskState {
  const receivedAt = Math.min(input.receivedAt, at);
  return next(state, { type: 'answered', at, receivedAt, keys: Object.keys(input.responses) });
}

/** Without a time of its own: the front's clock must not carry the task's ahead of Temporal's. */
function withAcked(state: TaskState, { keys, receivedAt }: AckedInput): TaskState {
  return next(state, { type: 'answered', at: state.lastUpdatedAt, receivedAt, keys });
}

/**
 * What is certain already although no worker has decided it: in the order of I7, with the answers folded in before. The
 * deadline has passed when Temporal's clock, of which the tail is the proof, says so; fronts may disagree on the time.
 */
function withEnding(state: TaskState, { cancelRequested, snapshot }: TaskDescription, tail?: HistoryTail): TaskState {
  const asked = cancelRequested ? next(state, { type: 'cancelRequested', at: snapshot.lastUpdatedAt }) : state;
  const { deadlineAt } = state;
  return (tail?.reachedAt ?? 0) >= deadlineAt ? next(asked, { type: 'deadlinePassed', at: deadlineAt }) : asked;
}

function withProgress(state: TaskState, { pendingWorkflowTask, progress }: TaskDescription): TaskState {
  if (pendingWorkflowTask === 'failing') return reported(state, FAILING_TEXT);
  return progress.length > 0 ? reported(state, progress.join('; ')) : state;
}

const FAILING_TEXT = 'The server cannot continue this task at the moment; its operator has been told. Nothing is lost.';

/** Progress is not a change of the task: it leaves the time of its last update alone. */
function reported(state: TaskState, message: string): TaskState {
  return { ...state, statusMessage: message };
}
