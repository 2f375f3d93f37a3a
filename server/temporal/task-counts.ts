/** How many tasks there are, out of Temporal's visibility store, which counts and does not list. */
import type { temporal } from '@temporalio/proto';
import type { TaskStatus } from '../../protocol/task.ts';

export interface TaskCount {
  readonly tool: string;
  readonly status: TaskStatus;
  readonly count: number;
}

/** What counting needs of the Temporal Service. */
export interface Visibility {
  readonly taskQueue: string;
  readonly count: (query: string) => Promise<temporal.api.workflowservice.v1.ICountWorkflowExecutionsResponse>;
  readonly decode: (payload: temporal.api.common.v1.IPayload | undefined) => Promise<unknown>;
}

/**
 * By how a run ended, and not by the status that it published last: a run that was terminated, or whose execution time was
 * over, had no chance to publish anything, and its caller reads `failed`. The run that a reset leaves behind is terminated.
 */
const ENDS: Readonly<Record<string, TaskStatus>> = {
  Completed: 'completed',
  Canceled: 'cancelled',
  Failed: 'failed',
  Terminated: 'failed',
  TimedOut: 'failed',
};

/** Every status of every tool, also where there is none. @throws StoreUnavailable */
export async function countTasks(visibility: Visibility, tools: readonly string[]): Promise<readonly TaskCount[]> {
  return (await Promise.all(tools.map((tool) => countTool(visibility, tool)))).flat();
}

async function countTool({ taskQueue, count, decode }: Visibility, tool: string): Promise<readonly TaskCount[]> {
  const ours = `TaskQueue = ${JSON.stringify(taskQueue)} AND WorkflowType = "${tool}"`;
  const [all, asking] = await Promise.all([
    count(`${ours} GROUP BY ExecutionStatus`),
    count(`${ours} AND ExecutionStatus = "Running" AND McpStatus = "input_required"`),
  ]);
  const counts: Record<TaskStatus, number> = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const { groupValues, count: size } of all.groups ?? []) {
    const execution = String(await decode(groupValues?.[0]));
    const status = execution === 'Running' ? 'working' : ENDS[execution];
    if (status !== undefined) counts[status] += Number(size);
  }
  counts.input_required = Number(asking.count);
  // The two counts are not of one instant.
  counts.working = Math.max(counts.working - counts.input_required, 0);
  return Object.entries(counts).map(([status, size]) => ({ tool, status: status as TaskStatus, count: size }));
}
