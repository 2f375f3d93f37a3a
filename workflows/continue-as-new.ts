/**
 * The one place that continues as new. Left to itself the next run would start with the memo of the first start, so memo
 * and state are handed on explicitly. Its static summary cannot be: the SDK has no option for it.
 */
import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import { decidedOf } from '../protocol/approval.ts';
import type { JsonObject } from '../protocol/task.ts';
import { CALL_MEMO, TASK_MEMO, type ToolTaskInput } from './contract.ts';
import type { TaskRecord } from './task-record.ts';

/** Thrown through a body by `task.continueAs`; only the lifecycle catches it. */
export class ContinueRequest extends Error {
  override readonly name = 'ContinueRequest';
  readonly args: JsonObject;
  constructor(args: JsonObject) {
    super('continue as new');
    this.args = args;
  }
}

/**
 * Requests and approvals that are still open are withdrawn: the next run's body asks for itself what it still needs to know. Effects so
 * far are kept whatever comes.
 */
export function continueWith(input: ToolTaskInput, args: JsonObject, record: TaskRecord): Promise<never> {
  record.apply({ type: 'withdrawn', keys: Object.keys(record.state.requests) });
  for (const approval of record.state.approvals ?? []) {
    record.apply({ type: 'approvalDecided', decided: decidedOf(approval, 'withdrawn', Date.now()) });
  }
  if (record.isDirty) record.publish();
  const carried = record.carried;
  const continueTask = makeContinueAsNewFunc<(next: ToolTaskInput) => Promise<unknown>>({
    memo: { [TASK_MEMO]: carried.snapshot, [CALL_MEMO]: workflowInfo().memo?.[CALL_MEMO] },
  });
  // A body that goes on has its answers: the next one is not asked for them again.
  const { asksFirst: _, ...kept } = input;
  return continueTask({ ...kept, args, carried });
}
