/** The query that finds a caller's tasks in Temporal's visibility store. */
import type { TaskStatus } from '../../protocol/task.ts';
import { principalAttribute, statusAttribute } from '../../workflows/contract.ts';
import type { TaskFilter } from '../task-store.ts';

/** A task has its time from a front's clock, its row from Temporal's. */
const CLOCK_SKEW_MS = 60_000;
/** The last time that a query can hold. */
const END_OF_TIME_MS = Date.UTC(9999, 11, 31);

/** By how a run ended; what a run published last says nothing of one that had no chance to publish. */
const STATUS_QUERIES: Readonly<Record<TaskStatus, string>> = {
  // Also what is settling: it has published how it is about to end.
  working: `ExecutionStatus = "Running" AND ${statusAttribute.name} != "input_required"`,
  input_required: `ExecutionStatus = "Running" AND ${statusAttribute.name} = "input_required"`,
  completed: 'ExecutionStatus = "Completed"',
  cancelled: 'ExecutionStatus = "Canceled"',
  failed: 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut")',
};

/**
 * All tasks of `principals` that `filter` lets through, and at the edges of its times a few more: `isWanted` is exact.
 * @throws Error for a value that could be read as more than a value
 */
export function listQuery(
  principals: readonly string[],
  { tool, status, createdFrom, createdBefore }: TaskFilter,
): string {
  return [
    `${principalAttribute.name} IN (${principals.map(quoted).join(', ')})`,
    // A run that went on as another one is not a task of its own.
    'ExecutionStatus != "ContinuedAsNew"',
    ...(tool === undefined ? [] : [`WorkflowType = ${quoted(tool)}`]),
    ...(status === undefined ? [] : [STATUS_QUERIES[status]]),
    ...(createdFrom === undefined ? [] : [`StartTime >= ${timeOf(createdFrom - CLOCK_SKEW_MS)}`]),
    ...(createdBefore === undefined ? [] : [`StartTime < ${timeOf(createdBefore + CLOCK_SKEW_MS)}`]),
  ].join(' AND ');
}

/** Whether a row that the query found is one that `filter` asks for. `createdAt`: ISO 8601. */
export function isWanted(
  { status, createdAt }: { readonly status: TaskStatus; readonly createdAt: string },
  filter: TaskFilter,
): boolean {
  const at = Date.parse(createdAt);
  return (
    (filter.status === undefined || status === filter.status) &&
    at >= (filter.createdFrom ?? -Infinity) &&
    at < (filter.createdBefore ?? Infinity)
  );
}

function timeOf(epochMs: number): string {
  return quoted(new Date(Math.min(Math.max(epochMs, 0), END_OF_TIME_MS)).toISOString());
}

/** Hashes, names of tools and times need no more than these characters, none of which ends a text in a query. */
function quoted(value: string): string {
  if (!/^[\w.:-]+$/.test(value)) throw new Error('A value that was not checked came to a query.');
  return `"${value}"`;
}
