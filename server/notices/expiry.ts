/** When a task that is about to expire really does: what has happened since the notice was made may have moved it. */
import { lastPartOf } from '../../protocol/notices-of.ts';
import type { NoticeOutbox } from '../../store/notice-outbox.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import { workflowIdOf } from '../temporal/task-ids.ts';

export interface ExpiryParts {
  readonly outbox: Pick<NoticeOutbox, 'beginningOf'>;
  readonly desk: Pick<ApprovalDesk, 'read'>;
}

export interface Expiry {
  /** Epoch ms. */
  readonly dueAt: number;
  /** From when on it is worth a word, in epoch ms. */
  readonly tellAt: number;
}

/** `undefined`: the task is over, or on its way there. @throws StoreUnavailable, StoreDown */
export async function expiryOf({ outbox, desk }: ExpiryParts, taskId: string): Promise<Expiry | undefined> {
  const begun = await outbox.beginningOf(taskId);
  const task = begun && (await desk.read(workflowIdOf(begun.caller, taskId)));
  if (begun === undefined || task === undefined || task.isOver) return undefined;
  const { deadlineAt: dueAt } = task;
  return { dueAt, tellAt: lastPartOf({ openedAt: begun.at, dueAt }) };
}
