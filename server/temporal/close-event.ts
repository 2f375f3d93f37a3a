/** How a closed run ended: read from its last event, which never changes. */
import type { temporal } from '@temporalio/proto';
import { enums } from './proto-enums.ts';
import { INTERNAL_ERROR } from '../../protocol/extension.ts';
import { expiredText, internalErrorText, PROTOCOL_FAILURE, TERMINATED_TEXT } from '../../protocol/task-failure.ts';
import type { Outcome } from '../../protocol/task-state.ts';
import type { RpcError, ToolResult } from '../../protocol/task.ts';
import type { BlobStore } from '../../store/blobs.ts';
import { StoreUnavailable } from '../task-store.ts';
import type { ToolTaskOutput } from '../../workflows/contract.ts';
import type { TaskDescription } from './task-description.ts';
import type { TemporalService } from './temporal-service.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
const CLOSE_EVENT_ONLY = enums.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

interface Where {
  readonly service: TemporalService;
  readonly blobs: BlobStore;
  readonly caller: string;
}

/** The last event of a run, by whoever has met it already. */
export interface CloseEvent {
  readonly runId: string;
  readonly event: HistoryEvent;
  /** The run as it ended, from whoever has followed it to there and knows that no other one goes on. */
  readonly description?: TaskDescription | undefined;
}

/** The task has ended by itself with this event. What an operator ends may go on as another run. */
export function isOwnEnd(event: HistoryEvent): boolean {
  return (
    event.workflowExecutionCompletedEventAttributes != null ||
    event.workflowExecutionFailedEventAttributes != null ||
    event.workflowExecutionCanceledEventAttributes != null
  );
}

/** Only for a closed run. `met` spares a call when it is of this run. */
export async function outcomeOf(where: Where, task: TaskDescription, met?: CloseEvent): Promise<Outcome> {
  const event = met?.runId === task.runId ? met.event : await readCloseEvent(where, task);
  return outcomeOfEvent(where, task, event);
}

/** Temporal lets this call on an open run wait for 20 s. */
async function readCloseEvent({ service }: Where, task: TaskDescription): Promise<HistoryEvent> {
  const { history } = await service.call((rpc) =>
    rpc.getWorkflowExecutionHistory({
      namespace: service.namespace,
      execution: { workflowId: task.workflowId, runId: task.runId },
      historyEventFilterType: CLOSE_EVENT_ONLY,
    }),
  );
  const event = history?.events?.at(-1);
  if (event == null) throw new StoreUnavailable('A closed run has no close event.');
  return event;
}

async function outcomeOfEvent(where: Where, task: TaskDescription, event: HistoryEvent): Promise<Outcome> {
  const { taskId, deadlineAt } = task.snapshot;
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed != null) {
    const output = (await where.service.client.decode(completed.result?.payloads?.[0])) as ToolTaskOutput;
    return { status: 'completed', result: await resultOf(where, taskId, output) };
  }
  if (event.workflowExecutionCanceledEventAttributes != null) return { status: 'cancelled' };
  if (event.workflowExecutionTerminatedEventAttributes != null) return failed(TERMINATED_TEXT);
  if (event.workflowExecutionTimedOutEventAttributes != null) return failed(expiredText(deadlineAt));
  const failure = event.workflowExecutionFailedEventAttributes?.failure?.applicationFailureInfo;
  if (failure?.type !== PROTOCOL_FAILURE) return failed(internalErrorText(taskId));
  return { status: 'failed', error: (await where.service.client.decode(failure.details?.payloads?.[0])) as RpcError };
}

async function resultOf({ blobs, caller }: Where, taskId: string, output: ToolTaskOutput): Promise<ToolResult> {
  if ('result' in output) return output.result;
  const name = output.ref.key.split('/').at(-1) ?? '';
  const stored = await blobs.read({ caller, taskId }, name);
  if (stored === undefined) throw new StoreUnavailable(`The result of task ${taskId} is not in the blob store.`);
  return JSON.parse(new TextDecoder().decode(stored.bytes)) as ToolResult;
}

function failed(message: string): Outcome {
  return { status: 'failed', error: { code: INTERNAL_ERROR, message } };
}
