/** One `DescribeWorkflowExecution`, in the words of tasks. */
import type { temporal } from '@temporalio/proto';
import { enums } from './proto-enums.ts';
import type { TaskSnapshot } from '../../protocol/task-state.ts';
import { CALL_MEMO, TASK_MEMO, type CallMemo } from '../../workflows/contract.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

const { PendingWorkflowTaskState, WorkflowExecutionStatus } = enums;

/** The workflow task that Temporal waits for, if any. */
export type PendingWorkflowTask = 'none' | 'scheduled' | 'started' | 'failing';

export interface TaskDescription {
  readonly workflowId: string;
  readonly runId: string;
  readonly tool: string;
  /** As the workflow last published it. */
  readonly snapshot: TaskSnapshot;
  /** What the call was. Read when a call is repeated, and not for each look at a task. */
  readonly readCall: () => Promise<CallMemo>;
  readonly isClosed: boolean;
  readonly closedAt: number;
  readonly historyLength: number;
  readonly cancelRequested: boolean;
  readonly pendingWorkflowTask: PendingWorkflowTask;
  /** Some activity runs or is about to; its heartbeats leave no trace in the history. */
  readonly hasActivities: boolean;
  /** What running activities say of their progress. */
  readonly progress: readonly string[];
}

/** From this attempt on a workflow task does not fail by chance. */
const FAILING_ATTEMPT = 3;

/** `undefined`: no such workflow, or none of ours. */
export async function describeTask(service: TemporalService, workflowId: string): Promise<TaskDescription | undefined> {
  const answer = await describe(service, workflowId);
  const info = answer?.workflowExecutionInfo;
  if (answer === undefined || info == null) return undefined;
  const { client } = service;
  const { [TASK_MEMO]: task, [CALL_MEMO]: call } = info.memo?.fields ?? {};
  if (task === undefined || call === undefined) return undefined;
  return {
    workflowId,
    runId: info.execution?.runId ?? '',
    tool: info.type?.name ?? '',
    snapshot: (await client.decode(task)) as TaskSnapshot,
    readCall: async () => (await client.decode(call)) as CallMemo,
    isClosed: info.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    closedAt: toEpochMs(info.closeTime),
    historyLength: Number(info.historyLength),
    cancelRequested: answer.workflowExtendedInfo?.cancelRequested === true,
    pendingWorkflowTask: pendingOf(answer.pendingWorkflowTask),
    hasActivities: (answer.pendingActivities ?? []).length > 0,
    progress: await progressOf(service, answer.pendingActivities ?? []),
  };
}

async function describe(
  service: TemporalService,
  workflowId: string,
): Promise<temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse | undefined> {
  const { namespace } = service;
  try {
    return await service.call((rpc) => rpc.describeWorkflowExecution({ namespace, execution: { workflowId } }));
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}

function pendingOf(pending: temporal.api.workflow.v1.IPendingWorkflowTaskInfo | null | undefined): PendingWorkflowTask {
  if (pending == null) return 'none';
  if ((pending.attempt ?? 0) >= FAILING_ATTEMPT) return 'failing';
  return pending.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED ? 'started' : 'scheduled';
}

async function progressOf(
  { client }: TemporalService,
  activities: readonly temporal.api.workflow.v1.IPendingActivityInfo[],
): Promise<readonly string[]> {
  const details = await Promise.all(
    activities.map(({ heartbeatDetails }) => client.decode(heartbeatDetails?.payloads?.[0])),
  );
  return details.map(messageOf).filter((message) => message !== undefined);
}

function messageOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('message' in details)) return undefined;
  return typeof details.message === 'string' ? details.message : undefined;
}

export function toEpochMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1_000_000);
}
