/** The history of one task followed over all its runs, from a place on; the snapshots that it passes are kept. */
import type { TaskSnapshot } from '../../protocol/task-state.ts';
import { TASK_MEMO } from '../../workflows/contract.ts';
import type { TaskView } from '../task-updates.ts';
import { isOwnEnd, type CloseEvent } from './close-event.ts';
import { HistoryBell, type HistoryEvent } from './history-bell.ts';
import { toEpochMs, type TaskDescription } from './task-description.ts';
import type { TemporalService } from './temporal-service.ts';

type Place = Pick<TaskDescription, 'workflowId' | 'runId' | 'historyLength'>;

export class HistoryTrail {
  readonly #service: TemporalService;
  #bell: HistoryBell;
  #life = 0;
  #passed: TaskView[] = [];
  /** The run as it was described at the place up to which the events have been passed since without a gap. */
  #known: TaskDescription | undefined;

  /** Begins after what `place` has seen. */
  constructor(service: TemporalService, place: TaskDescription) {
    this.#service = service;
    this.#bell = bellAfter(service, place);
    this.#known = place;
  }

  /** Which life of the task this is: an operator's reset begins another one. */
  get life(): number {
    return this.#life;
  }

  /** The end of the run that it has come to. */
  get closeEvent(): CloseEvent | undefined {
    const { closeEvent: event, runId } = this.#bell;
    if (event === undefined || runId === undefined) return undefined;
    return { runId, event, description: this.#endedWith(event) };
  }

  #endedWith(event: HistoryEvent): TaskDescription | undefined {
    const known = this.#known;
    const { runId, eventId } = this.#bell;
    if (known === undefined || known.runId !== runId || !isOwnEnd(event)) return undefined;
    const nothingRuns = { pendingWorkflowTask: 'none', hasActivities: false, progress: [] } as const;
    const closedAt = toEpochMs(event.eventTime);
    return { ...known, ...nothingRuns, isClosed: true, closedAt, historyLength: eventId };
  }

  /** As `HistoryBell.round`. */
  async round(signal: AbortSignal): Promise<readonly HistoryEvent[]> {
    const events = await this.#bell.round(signal);
    for (const event of events) await this.#keepSnapshot(event);
    return events;
  }
  rewind(): void {
    this.#bell.rewind();
  }
  /** Nobody was listening for a while: until it is described anew, the run may have given way to another one. */
  doubt(): void {
    this.#known = undefined;
  }

  /** There are events before `place` that it has not passed. */
  isBehind({ runId, historyLength }: Place): boolean {
    return this.#bell.runId !== runId || this.#bell.eventId < historyLength;
  }

  /** Passes all events up to `place`. They have happened, so they come at once. */
  async catchUp(place: TaskDescription, signal: AbortSignal): Promise<void> {
    while (this.isBehind(place)) {
      if (this.#bell.hasEnded) this.#bell = this.#nextBell(place);
      else if ((await this.round(signal)).length === 0) return;
    }
    if (this.#bell.eventId === place.historyLength) this.#known = place;
  }

  /** The snapshots passed since they were last taken, in order. */
  takePassed(): readonly TaskView[] {
    const passed = this.#passed;
    this.#passed = [];
    return passed;
  }

  /** Of the run that goes on. */
  #nextBell(place: Place): HistoryBell {
    const runId = this.#bell.closeEvent?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    if (runId != null) return new HistoryBell(this.#service, place.workflowId, { runId, eventId: 0 });
    // The run that a reset makes begins with a copy of history that was passed before.
    this.#life += 1;
    return bellAfter(this.#service, place);
  }

  async #keepSnapshot(event: HistoryEvent): Promise<void> {
    const memo = event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields?.[TASK_MEMO];
    if (memo == null) return;
    const state = (await this.#service.client.decode(memo)) as TaskSnapshot;
    this.#passed.push({ state, life: this.#life });
    if (this.#known !== undefined) this.#known = { ...this.#known, snapshot: state };
  }
}

function bellAfter(service: TemporalService, { workflowId, runId, historyLength }: Place): HistoryBell {
  return new HistoryBell(service, workflowId, { runId, eventId: historyLength });
}
