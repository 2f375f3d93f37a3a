/** What the workflows of this worker count. */
import type { InjectedSinks } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import { Counter, Histogram, type Registry } from 'prom-client';
import { isTerminal, type TaskStatus } from '../protocol/task.ts';
import type { TaskSinks } from '../workflows/contract.ts';

const WAIT_BUCKETS_S = [1, 5, 30, 60, 300, 1_800, 3_600, 6 * 3_600, 86_400, 3 * 86_400, 7 * 86_400];

/** Far more than a worker has under way at a time. */
const MAX_RUNS = 10_000;

export function createTaskSinks(registry: Registry): InjectedSinks<TaskSinks> {
  const transitions = new Counter({
    name: 'mcp_task_status_changes_total',
    help: 'Status changes of tasks on this worker.',
    labelNames: ['tool', 'from', 'to'],
    registers: [registry],
  });
  const ended = new Counter({
    name: 'mcp_tasks_ended_total',
    help: 'Tasks that reached a terminal status on this worker.',
    labelNames: ['tool', 'status'],
    registers: [registry],
  });
  const waited = new Histogram({
    name: 'mcp_task_input_required_seconds',
    help: 'How long a task stood in input_required each time.',
    labelNames: ['tool'],
    buckets: WAIT_BUCKETS_S,
    registers: [registry],
  });
  /** By run: how many of its changes have been counted. What Temporal has not taken is decided, and told, once more. */
  const counted = new LRUCache<string, number>({ max: MAX_RUNS });
  return {
    tasks: {
      statusChanged: {
        fn({ runId }, tool, { from, to, heldMs, ordinal }) {
          if (ordinal <= (counted.get(runId) ?? 0)) return;
          counted.set(runId, ordinal);
          transitions.inc({ tool, from, to });
          if (isTerminal(to as TaskStatus)) ended.inc({ tool, status: to });
          if (from === 'input_required') waited.observe({ tool }, heldMs / 1_000);
        },
        callDuringReplay: false,
      },
    },
  };
}
