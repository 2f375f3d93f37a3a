/**
 * The accepted invoices at the ERP, each exactly once, and none when the task is cancelled: what was posted before is voided.
 * Several go out in one activity, which knows each by its reference: whatever crashes, what was posted stays posted once.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TableRef } from '../activities/invoices/match-table.ts';
import type { InvoiceOutcome } from '../activities/invoices/outcome.ts';
import type { TaskContext } from './tool.ts';

const untilDone = { initialInterval: '1 second', maximumInterval: '5 seconds' } as const;

const { postInvoices } = proxyActivities<Activities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Post invoices to the ERP',
});
const { voidInvoices } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Void invoices in the ERP',
});

/** A cancel waits for that many at most. */
const AT_ONCE = 20;

/** `indexes`: places of the accepted ones. */
export async function postedInvoices(
  task: TaskContext,
  table: TableRef,
  indexes: readonly number[],
): Promise<readonly InvoiceOutcome[]> {
  const owner = { caller: task.caller, taskId: task.id };
  const outcomes: InvoiceOutcome[] = [];
  for (let from = 0; from < indexes.length; from += AT_ONCE) {
    const some = indexes.slice(from, from + AT_ONCE);
    const posted = await task.effect(
      `Post ${from + 1} to ${from + some.length} of ${indexes.length} invoices`,
      () => postInvoices({ owner, table, indexes: some }),
      (made) => voidInvoices({ owner, table, outcomes: made }),
      (made) => made.flatMap(({ erpNumber = [] }) => erpNumber).join(', '),
    );
    outcomes.push(...posted);
  }
  return outcomes;
}
