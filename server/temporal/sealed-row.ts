/**
 * A task whose memo no key of this process opens, as far as Temporal keeps it in clear: enough to be listed, so that one
 * such task does not hide all others of its caller.
 */
import type { temporal } from '@temporalio/proto';
import type { TaskStatus } from '../../protocol/task.ts';
import { expiresAtAttribute, statusAttribute } from '../../workflows/contract.ts';
import { DEFAULT_POLL_INTERVAL_MS } from '../start-call.ts';
import type { ListedTask } from '../task-store.ts';
import { toEpochMs } from './task-description.ts';
import type { TaskWorkflowClient } from './task-workflow-client.ts';

type Row = temporal.api.workflow.v1.IWorkflowExecutionInfo;

const SEALED_TEXT = 'This server lacks the key under which the details of this task are encrypted';

/** While it runs. Its times are those of its run: of a task that went on with a fresh history, the last one. */
export async function sealedTask(client: TaskWorkflowClient, row: Row): Promise<Omit<ListedTask, 'tool'>> {
  const attributes = row.searchAttributes?.indexedFields;
  const published = await client.decode(attributes?.[statusAttribute.name]);
  const expiresAt = Date.parse(String(await client.decode(attributes?.[expiresAtAttribute.name])));
  const startedAt = toEpochMs(row.startTime);
  const createdAt = new Date(startedAt).toISOString();
  const status: TaskStatus = published === 'input_required' ? published : 'working';
  return {
    taskId: row.execution?.workflowId?.split('/').at(-1) ?? '',
    status,
    statusMessage: SEALED_TEXT,
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: Number.isNaN(expiresAt) ? 0 : Math.max(expiresAt - startedAt, 0),
    pollIntervalMs: DEFAULT_POLL_INTERVAL_MS,
  };
}
