import type { JsonObject } from '../../protocol/task.ts';

/** One act that is about an approval, as the audit keeps it. */
export interface ApprovalAct {
  readonly type: string;
  readonly at: Date;
  readonly by: string | null;
  readonly data: JsonObject;
}

/** What the audit tells of the approvals of a task. It is some moments behind the task. */
export interface ApprovalHistory {
  /** In the order in which it happened. @throws StoreDown */
  ofTask(taskId: string): Promise<readonly ApprovalAct[]>;
}
