/** The history long poll as a bell: it rings when a task may look different. One bell is one run of one workflow. */
import type { temporal } from '@temporalio/proto';
import { enums } from './proto-enums.ts';
import { isDeadlineExceeded, type TemporalService } from './temporal-service.ts';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const { EventType, HistoryEventFilterType } = enums;
/** Events hold snapshots: larger pages pass what gRPC takes in one message. */
const PAGE_SIZE = 50;
/**
 * Longer than Temporal holds a poll (20 s). It must not be shorter: Temporal keeps a second of the caller's deadline back
 * and answers polls that have no more than that left at once and empty. Who wants to wait less aborts.
 */
const ROUND_MS = 25_000;

/** Events after which a reader may see something new. */
const CHANGES = new Set([
  EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
]);

export interface HistoryPosition {
  /** Left out: whichever run is the current one. */
  readonly runId?: string;
  /** The last event that needs no ring. */
  readonly eventId: number;
}

export class HistoryBell {
  readonly #service: TemporalService;
  readonly #workflowId: string;
  readonly runId: string | undefined;
  readonly #skippedTo: number;
  #eventId: number;
  #pageToken: Uint8Array | undefined;
  #hasEnded = false;
  #lastEvent: HistoryEvent | undefined;

  constructor(service: TemporalService, workflowId: string, from: HistoryPosition = { eventId: 0 }) {
    this.#service = service;
    this.#workflowId = workflowId;
    this.runId = from.runId;
    this.#skippedTo = from.eventId;
    this.#eventId = from.eventId;
  }

  /** The last event it has told of, or was told to skip. */
  get eventId(): number {
    return this.#eventId;
  }
  /** The run is over: another round would begin at its first event again. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** Once the run has ended. */
  get closeEvent(): HistoryEvent | undefined {
    return this.#hasEnded ? this.#lastEvent : undefined;
  }

  /**
   * The next events; none when nothing happened for a while, or `signal` aborts. It throws what Temporal throws, and can
   * be asked again afterwards: no event is lost.
   */
  async round(signal: AbortSignal): Promise<readonly HistoryEvent[]> {
    const page = await this.#poll(signal);
    if (page === undefined) return [];
    this.#pageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
    this.#hasEnded = this.#pageToken === undefined;
    // Not by the last one told of: the ids of a failing workflow task are provisional and are given out again.
    const events = (page.history?.events ?? []).filter(({ eventId }) => Number(eventId) > this.#skippedTo);
    this.#lastEvent = events.at(-1) ?? this.#lastEvent;
    this.#eventId = Math.max(this.#eventId, Number(this.#lastEvent?.eventId ?? 0));
    return events;
  }

  /** For when Temporal does not take the place any more at which it stopped: some events are told of again. */
  rewind(): void {
    this.#pageToken = undefined;
  }

  async #poll(
    signal: AbortSignal,
  ): Promise<temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse | undefined> {
    const { namespace } = this.#service;
    const nextPageToken = this.#pageToken;
    try {
      return await this.#service.longPoll(
        (rpc) =>
          rpc.getWorkflowExecutionHistory({
            namespace,
            execution: { workflowId: this.#workflowId, ...(this.runId === undefined ? {} : { runId: this.runId }) },
            waitNewEvent: true,
            historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
            maximumPageSize: PAGE_SIZE,
            ...(nextPageToken === undefined ? {} : { nextPageToken }),
          }),
        Date.now() + ROUND_MS,
        signal,
      );
    } catch (error) {
      if (signal.aborted || isDeadlineExceeded(error)) return undefined;
      throw error;
    }
  }
}

export function isChange({ eventType }: HistoryEvent): boolean {
  return eventType != null && CHANGES.has(eventType);
}

/** From here on heartbeats may say something. */
export function isActivityScheduled({ eventType }: HistoryEvent): boolean {
  return eventType === EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED;
}
