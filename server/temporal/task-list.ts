/** A caller's tasks out of Temporal's visibility store. Its rows carry the memo, so no task is described one by one. */
import type { temporal } from '@temporalio/proto';
import { statusOf, toDetailedTask, type TaskSnapshot } from '../../protocol/task-state.ts';
import type { TaskStatus } from '../../protocol/task.ts';
import { principalAttribute, TASK_MEMO } from '../../workflows/contract.ts';
import type { Caller } from '../caller.ts';
import type { ListedTask, TaskPage } from '../task-store.ts';
import { enums } from './proto-enums.ts';
import { toEpochMs } from './task-description.ts';
import type { TemporalService } from './temporal-service.ts';

type Row = temporal.api.workflow.v1.IWorkflowExecutionInfo;
const { WorkflowExecutionStatus: Status } = enums;

/** Visibility sorts by itself (running first, then by the time of the end) and takes no other order. */
export async function listTasks(
  service: TemporalService,
  { principal }: Caller,
  page: { readonly size: number; readonly token?: string },
  resultRetentionMs: number,
): Promise<TaskPage> {
  const { executions, nextPageToken } = await service.call((rpc) =>
    rpc.listWorkflowExecutions({
      namespace: service.namespace,
      pageSize: page.size,
      nextPageToken: Buffer.from(page.token ?? '', 'base64url'),
      // A run that went on as another one is not a task of its own.
      query: `${principalAttribute.name} = "${principal}" AND ExecutionStatus != "ContinuedAsNew"`,
    }),
  );
  const rows = await Promise.all(executions.map((row) => toListedTask(service, row, resultRetentionMs)));
  const token = Buffer.from(nextPageToken).toString('base64url');
  return { tasks: rows.filter((row) => row !== undefined), ...(token === '' ? {} : { nextPageToken: token }) };
}

/** `undefined`: none of ours, or ended longer ago than results are kept. */
async function toListedTask(
  { client }: TemporalService,
  row: Row,
  resultRetentionMs: number,
): Promise<ListedTask | undefined> {
  const snapshot = (await client.decode(row.memo?.fields?.[TASK_MEMO])) as TaskSnapshot | undefined;
  if (snapshot === undefined) return undefined;
  const { taskId, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = toDetailedTask(snapshot);
  const base = { taskId, tool: row.type?.name ?? '', createdAt, pollIntervalMs };
  if (row.status === Status.WORKFLOW_EXECUTION_STATUS_RUNNING) {
    const status = statusOf(snapshot);
    return { ...base, status, lastUpdatedAt, ttlMs, ...(statusMessage === undefined ? {} : { statusMessage }) };
  }
  const closedAt = toEpochMs(row.closeTime);
  if (closedAt + resultRetentionMs < Date.now()) return undefined;
  const keptMs = Math.max(closedAt - snapshot.createdAt, 0) + resultRetentionMs;
  return { ...base, status: endOf(row), lastUpdatedAt: new Date(closedAt).toISOString(), ttlMs: keptMs };
}

function endOf({ status }: Row): TaskStatus {
  if (status === Status.WORKFLOW_EXECUTION_STATUS_COMPLETED) return 'completed';
  return status === Status.WORKFLOW_EXECUTION_STATUS_CANCELED ? 'cancelled' : 'failed';
}
