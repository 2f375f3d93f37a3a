/** The history long poll as a bell: it rings when a task may look different. */
import type { temporal } from '@temporalio/proto';
import { enums } from './proto-enums.ts';
import { isDeadlineExceeded, type TemporalService } from './temporal-service.ts';

const { EventType, HistoryEventFilterType } = enums;
/** Events hold snapshots: larger pages pass what gRPC takes in one message. */
const PAGE_SIZE = 50;
/**
 * Longer than Temporal holds a poll (20 s). It must not be shorter: Temporal keeps a second of the caller's deadline back
 * and answers polls that have no more than that left at once and empty. Who wants to wait less aborts.
 */
const ROUND_MS = 25_000;

/** Events after which a reader may see something new. */
const RINGING = new Set([
  EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
]);

/** Yields at each change of the task until `signal` aborts. Then it returns; it throws what Temporal throws. */
export async function* changesOf(
  service: TemporalService,
  workflowId: string,
  signal: AbortSignal,
): AsyncGenerator<void, void, void> {
  let nextPageToken: Uint8Array | undefined;
  while (!signal.aborted) {
    const page = await round(service, workflowId, signal, nextPageToken);
    if (page === undefined) continue;
    const events = page.history?.events ?? [];
    if (events.some(({ eventType }) => eventType != null && RINGING.has(eventType))) yield;
    // No token: the run has ended, perhaps to go on as another one.
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  }
}

async function round(
  service: TemporalService,
  workflowId: string,
  signal: AbortSignal,
  nextPageToken: Uint8Array | undefined,
): Promise<temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse | undefined> {
  try {
    return await service.longPoll(
      (rpc) =>
        rpc.getWorkflowExecutionHistory({
          namespace: service.namespace,
          execution: { workflowId },
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
