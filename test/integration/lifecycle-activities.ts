/** The outside world of the lifecycle's test tools: it remembers what was done to it. */
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';

/** What becomes of the undo of an effect. */
export type Undo = 'works' | 'refused' | 'crashes';

export type LifecycleActivities = ReturnType<typeof createLifecycleActivities>['activities'];

export function createLifecycleActivities() {
  /** Task ids whose effect is live. */
  const live = new Set<string>();
  const started = new Set<string>();
  /** Task ids that wait for the test to complete their activity. */
  const leftOpen = new Set<string>();
  return {
    live,
    started,
    leftOpen,
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
      undoEffect({ taskId, undo }: { taskId: string; undo: Undo }): Promise<void> {
        if (undo === 'refused') throw ApplicationFailure.nonRetryable('It has been shipped already.', TOOL_FAILURE);
        if (undo === 'crashes') throw ApplicationFailure.nonRetryable('connect postgres://u:p@db.internal/x', 'Weird');
        live.delete(taskId);
        return Promise.resolve();
      },
      /** No worker holds it: it can be completed while none is there. */
      leaveOpen({ taskId }: { taskId: string }): Promise<void> {
        leftOpen.add(taskId);
        throw new CompleteAsyncError();
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
