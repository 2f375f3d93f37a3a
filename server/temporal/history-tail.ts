/** What the history holds that the workflow has not decided on yet. */
import { enums } from './proto-enums.ts';
import { taskInputSignal, type TaskInput } from '../../workflows/contract.ts';
import type { TaskDescription } from './task-description.ts';
import { toEpochMs } from './task-description.ts';
import type { TemporalService } from './temporal-service.ts';

const { EventType } = enums;
const PAGE_SIZE = 20;

export interface HistoryTail {
  /** Oldest first. */
  readonly inputs: readonly UndecidedInput[];
  /** The time of the newest event: Temporal's clock has come at least this far. */
  readonly reachedAt: number;
}

export interface UndecidedInput {
  readonly input: TaskInput;
  /** When Temporal took it. */
  readonly at: number;
}

/**
 * What came after the last completed workflow task; `undefined` when a worker has decided since `description` was read,
 * so that its snapshot is no longer the base to fold the inputs into.
 */
export async function readHistoryTail(
  service: TemporalService,
  { workflowId, runId, historyLength }: TaskDescription,
): Promise<HistoryTail | undefined> {
  const inputs: UndecidedInput[] = [];
  let reachedAt = 0;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await service.call((rpc) =>
      rpc.getWorkflowExecutionHistoryReverse({
        namespace: service.namespace,
        execution: { workflowId, runId },
        maximumPageSize: PAGE_SIZE,
        nextPageToken,
      }),
    );
    for (const event of page.history?.events ?? []) {
      if (event.eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED) {
        return Number(event.eventId) > historyLength ? undefined : { inputs, reachedAt };
      }
      reachedAt = Math.max(reachedAt, toEpochMs(event.eventTime));
      const signal = event.workflowExecutionSignaledEventAttributes;
      if (signal?.signalName !== taskInputSignal.name) continue;
      const input = (await service.client.decode(signal.input?.payloads?.[0])) as TaskInput;
      inputs.unshift({ input, at: toEpochMs(event.eventTime) });
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return { inputs, reachedAt };
}
