/** The outside world of the lifecycle's test tools: it remembers what was done to it. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';

export type LifecycleActivities = ReturnType<typeof createLifecycleActivities>['activities'];

export function createLifecycleActivities() {
  /** Task ids whose effect is live. */
  const live = new Set<string>();
  const started = new Set<string>();
  return {
    live,
    started,
    activities: {
      tick(): Promise<void> {
        return Promise.resolve();
      },
      async doEffect({ taskId, ms }: { taskId: string; ms: number }): Promise<string> {
        started.add(taskId);
        await Context.current().sleep(ms);
        live.add(taskId);
        return `effect of ${taskId}`;
      },
      undoEffect({ taskId, isRefused }: { taskId: string; done: string; isRefused: boolean }): Promise<void> {
        if (isRefused) throw ApplicationFailure.nonRetryable('It has been shipped already.', TOOL_FAILURE);
        live.delete(taskId);
        return Promise.resolve();
      },
      crash(): Promise<void> {
        throw ApplicationFailure.nonRetryable('connect postgres://u:p@db.internal/x failed', 'Weird');
      },
      refuse(): Promise<void> {
        throw ApplicationFailure.nonRetryable('The vendor is blocked.', TOOL_FAILURE);
      },
      async makeProgress(): Promise<void> {
        for (;;) {
          Context.current().heartbeat({ message: '3 of 10 pages' });
          await Context.current().sleep(500);
        }
      },
    },
  };
}
