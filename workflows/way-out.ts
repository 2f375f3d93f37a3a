/** Work that somebody else may end at any time, by an approval that is open beside it. */
import { CancellationScope, isCancellation, TemporalFailure } from '@temporalio/workflow';
import type { ApprovalOutcome, ApprovalRequest } from '../protocol/approval-request.ts';
import type { TaskContext } from './tool.ts';

/**
 * `undefined`: whoever may has ended it by approving `wayOut`; then `work` is cancelled, or has come too late. That has
 * precedence over whatever `work` brings in the same moment, because its holder has been told that it counts.
 */
export async function unlessEnded<T>(
  task: TaskContext,
  wayOut: ApprovalRequest,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const working = new CancellationScope();
  const waiting = new CancellationScope();
  const isTaken = waiting
    .run(() => task.approval(wayOut))
    .then(
      ({ result }: ApprovalOutcome) => {
        if (result === 'approved') working.cancel();
        return result === 'approved';
      },
      (error: unknown) => {
        if (isCancellation(error)) return false;
        throw error;
      },
    );
  try {
    const done = await working.run(work);
    waiting.cancel();
    return (await isTaken) ? undefined : done;
  } catch (error) {
    waiting.cancel();
    if (error instanceof TemporalFailure && (await isTaken)) return undefined;
    throw error;
  }
}
