/** All that `tasks/get` can have said of a task, out of its history: the oracle for what listeners were told. */
import type { temporal } from '@temporalio/proto';
import { fromSnapshot, next, type TaskSnapshot, type TaskState } from '../../../protocol/task-state.ts';
import { toDetailedTask } from '../../../protocol/detailed-task.ts';
import type { DetailedTask } from '../../../protocol/task.ts';
import { toEpochMs } from '../../../server/temporal/task-description.ts';
import { TASK_MEMO, type TaskInput, type ToolTaskInput } from '../../../workflows/contract.ts';
import { seedState } from '../../../protocol/task-state.ts';
import { keysOf } from '../../support/task-journal.ts';
import type { TaskBench } from '../../support/task-bench.ts';

export interface PossibleStates {
  readonly states: readonly DetailedTask[];
  /** Every request that it ever put. */
  readonly keys: readonly string[];
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** Of a task that has ended. */
export async function possibleStates(bench: TaskBench, taskId: string): Promise<PossibleStates> {
  const states: TaskState[] = [];
  for (const event of await allEvents(bench, bench.workflowId(taskId))) {
    const state = await stateAfter(bench, event, states.at(-1));
    if (state !== undefined) states.push(state);
  }
  const told = [...states.map(toDetailedTask), await bench.get(taskId)];
  return { states: told, keys: [...new Set(told.flatMap(keysOf))] };
}

/** A snapshot, or the last one with what a reader folds into it until a worker decides. */
async function stateAfter(
  { service: { client } }: TaskBench,
  event: HistoryEvent,
  before: TaskState | undefined,
): Promise<TaskState | undefined> {
  const at = toEpochMs(event.eventTime);
  const started = event.workflowExecutionStartedEventAttributes;
  if (started != null) {
    const { seed, carried } = (await client.decode(started.input?.payloads?.[0])) as ToolTaskInput;
    return carried === undefined ? seedState(seed) : fromSnapshot(carried.snapshot);
  }
  const memo = event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields?.[TASK_MEMO];
  if (memo != null) return fromSnapshot((await client.decode(memo)) as TaskSnapshot);
  if (before === undefined) return undefined;
  if (event.workflowExecutionCancelRequestedEventAttributes != null) {
    return next(before, { type: 'cancelRequested', at: before.lastUpdatedAt });
  }
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal == null) return undefined;
  const { responses, receivedAt } = (await client.decode(signal.input?.payloads?.[0])) as TaskInput;
  return next(before, { type: 'answered', at, receivedAt, keys: Object.keys(responses) });
}

/** Of all runs, in order. */
async function allEvents({ service }: TaskBench, workflowId: string): Promise<readonly HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  const { workflowExecutionInfo } = await service.call((rpc) =>
    rpc.describeWorkflowExecution({ namespace: service.namespace, execution: { workflowId } }),
  );
  let runId = workflowExecutionInfo?.firstRunId ?? undefined;
  while (runId !== undefined) {
    let nextPageToken: Uint8Array = new Uint8Array();
    do {
      const execution = { workflowId, runId };
      const page = await service.call((rpc) =>
        rpc.getWorkflowExecutionHistory({
          namespace: service.namespace,
          execution,
          maximumPageSize: 50,
          nextPageToken,
        }),
      );
      events.push(...(page.history?.events ?? []));
      nextPageToken = page.nextPageToken;
    } while (nextPageToken.length > 0);
    runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
  }
  return events;
}
