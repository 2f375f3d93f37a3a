/** A caller's tasks out of Temporal's visibility store. Its rows carry the memo, so no task is described one by one. */
import type { temporal } from '@temporalio/proto';
import type { TaskSnapshot } from '../../protocol/task-state.ts';
import { toDetailedTask } from '../../protocol/detailed-task.ts';
import type { TaskStatus } from '../../protocol/task.ts';
import { TASK_MEMO } from '../../workflows/contract.ts';
import { principalsOf, type Caller } from '../caller.ts';
import type { ListedTask, PageRequest, TaskPage } from '../task-store.ts';
import { isWanted, listQuery } from './list-query.ts';
import { enums } from './proto-enums.ts';
import { sealedTask } from './sealed-row.ts';
import { toEpochMs } from './task-description.ts';
import type { TaskWorkflowClient } from './task-workflow-client.ts';
import type { TemporalService } from './temporal-service.ts';

type Row = temporal.api.workflow.v1.IWorkflowExecutionInfo;
type Memo = temporal.api.common.v1.IPayload;
const { WorkflowExecutionStatus: Status } = enums;

/** Visibility sorts by itself (running first, then by the time of the end) and takes no other order. */
export async function listTasks(
  service: TemporalService,
  caller: Caller,
  { size, token = '', filter = {} }: PageRequest,
  resultRetentionMs: number,
): Promise<TaskPage> {
  const { executions, nextPageToken } = await service.call((rpc) =>
    rpc.listWorkflowExecutions({
      namespace: service.namespace,
      pageSize: size,
      nextPageToken: Buffer.from(token, 'base64url'),
      query: listQuery(principalsOf(caller), filter),
    }),
  );
  const rows = await Promise.all(executions.map((row) => toListedTask(service, row, resultRetentionMs)));
  const next = Buffer.from(nextPageToken).toString('base64url');
  const tasks = rows.filter((row) => row !== undefined).filter((row) => isWanted(row, filter));
  return { tasks, ...(next === '' ? {} : { nextPageToken: next }) };
}

/** `undefined`: none of ours, or ended longer ago than results are kept. */
async function toListedTask(
  { client }: TemporalService,
  row: Row,
  resultRetentionMs: number,
): Promise<ListedTask | undefined> {
  const memo = row.memo?.fields?.[TASK_MEMO];
  if (memo == null) return undefined;
  const known = (await openedTask(client, memo)) ?? (await sealedTask(client, row));
  const { statusMessage, ...base } = { ...known, tool: row.type?.name ?? '' };
  if (row.status === Status.WORKFLOW_EXECUTION_STATUS_RUNNING) {
    return { ...base, ...(statusMessage === undefined ? {} : { statusMessage }) };
  }
  const closedAt = toEpochMs(row.closeTime);
  if (closedAt + resultRetentionMs < Date.now()) return undefined;
  const keptMs = Math.max(closedAt - Date.parse(base.createdAt), 0) + resultRetentionMs;
  return { ...base, status: endOf(row), lastUpdatedAt: new Date(closedAt).toISOString(), ttlMs: keptMs };
}

/** As it was last published. `undefined`: no key of ours opens it. */
async function openedTask(client: TaskWorkflowClient, memo: Memo): Promise<Omit<ListedTask, 'tool'> | undefined> {
  const snapshot = await client.decode(memo).catch(() => undefined);
  if (snapshot === undefined) return undefined;
  const task = toDetailedTask(snapshot as TaskSnapshot);
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
}

function endOf({ status }: Row): TaskStatus {
  if (status === Status.WORKFLOW_EXECUTION_STATUS_COMPLETED) return 'completed';
  return status === Status.WORKFLOW_EXECUTION_STATUS_CANCELED ? 'cancelled' : 'failed';
}
