/** What the history holds that the workflow has not decided on yet. */
import { enums } from './proto-enums.ts';
import { taskInputSignal, type TaskInput } from '../../workflows/contract.ts';
import type { TaskDescription } from './task-description.ts';
import { toEpochMs } from './task-description.ts';
import type { TemporalService } from './temporal-service.ts';

const { EventType } = enums;
const PAGE_SIZE = 20;

export interface UndecidedInput {
  readonly input: TaskInput;
  /** When Temporal took it. */
  readonly at: number;
}

/**
 * The inputs after the last completed workflow task, oldest first; `undefined` when a worker has decided since
 * `description` was read, so that its snapshot is no longer the base to fold them into.
 */
export async function undecidedInputs(
  service: TemporalService,
  { workflowId, runId, historyLength }: TaskDescription,
): Promise<readonly UndecidedInput[] | undefined> {
  const inputs: UndecidedInput[] = [];
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
        return Number(event.eventId) > historyLength ? undefined : inputs;
      }
      const signal = event.workflowExecutionSignaledEventAttributes;
      if (signal?.signalName !== taskInputSignal.name) continue;
      const input = (await service.client.decode(signal.input?.payloads?.[0])) as TaskInput;
      inputs.unshift({ input, at: toEpochMs(event.eventTime) });
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return inputs;
}
