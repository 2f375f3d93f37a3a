/** The PDFs of an order: the one that is placed, and the one that is asked for. */
import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OrderOnPaper } from '../activities/order-pdf.ts';
import { taskFileUri } from '../protocol/blob-ref.ts';
import type { TaskContext } from './tool.ts';

const { writeOrderPdf } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 4 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Write the PDF of the order',
});

export interface OrderFile {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `name` is that of the file; written again, it replaces the first. `undefined`: it could not be stored. */
export async function writeOrderFile(
  task: TaskContext,
  name: string,
  order: OrderOnPaper,
): Promise<OrderFile | undefined> {
  const owner = { caller: task.caller, taskId: task.id };
  try {
    const { mimeType, ref } = await task.step('Write the PDF of the order', () =>
      writeOrderPdf({ owner, name, order }),
    );
    return { uri: taskFileUri(task.id, name), name, mimeType, bytes: ref.bytes, sha256: ref.sha256 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}
