/** What an operator asks about the Temporal Service behind the front. */
import type { TaskStatus } from '../protocol/task.ts';

export interface ServiceHealth {
  /** Answers within two seconds. */
  isReachable(): Promise<boolean>;
  /** Somebody polls the task queue. */
  hasWorker(): Promise<boolean>;
  /** What waits for a worker, by kind of Temporal task. */
  backlog(): Promise<{ readonly workflow: number; readonly activity: number }>;
  /** Running and ended tasks by tool and status. Lags by visibility's delay. */
  countTasks(tools: readonly string[]): Promise<readonly { tool: string; status: TaskStatus; count: number }[]>;
}
