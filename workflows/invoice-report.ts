import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TableRef } from '../activities/invoices/match-table.ts';
import type { InvoiceOutcome } from '../activities/invoices/outcome.ts';
import { taskFileUri } from '../protocol/blob-ref.ts';
import type { ContentBlock } from '../protocol/task.ts';
import type { TaskContext } from './tool.ts';

const { writeInvoiceReport } = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 4 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Write the report',
});

/** Links to CSV and PDF. What was posted stands with or without them: none when they could not be stored. */
export async function writtenReport(
  task: TaskContext,
  table: TableRef,
  outcomes: readonly InvoiceOutcome[],
): Promise<ContentBlock[]> {
  const owner = { caller: task.caller, taskId: task.id };
  const datedAt = new Date().toISOString();
  try {
    const { csv, pdf } = await task.step('Write the report', () =>
      writeInvoiceReport({ owner, table, outcomes, datedAt }),
    );
    return [csv, pdf].map(({ name, mimeType, ref }) => {
      const title = name.endsWith('.csv') ? 'Reconciliation, line by line' : 'Reconciliation';
      return { type: 'resource_link', uri: taskFileUri(task.id, name), name, title, mimeType, size: ref.bytes };
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return [];
  }
}
