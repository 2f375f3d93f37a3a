/** What has come for an order, as the ERP knows it. */
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { z } from 'zod';
import { exchange } from './erp-exchange.ts';
import { receiptsPath, receiptsSchema, receivedByLine, type GoodsReceipt } from './erp-receipts.ts';
import { isAbove, summed } from './money.ts';

/** Small, because it is asked for again and again. */
export interface GoodsStatus {
  /** Units over all lines, as decimal strings. */
  readonly ordered: string;
  readonly received: string;
  /** All lines have come in full. */
  readonly isComplete: boolean;
  /** Somebody has voided the order: nothing will come any more. */
  readonly isVoided: boolean;
}

export interface ReceiptList {
  readonly receipts: readonly GoodsReceipt[];
  /** So many more are in the ERP. */
  readonly leftOut: number;
}

export interface GoodsActivities {
  /** One look. No status: the ERP did not answer, or not in words that are known. */
  readonly lookForGoods: (args: { number: string }) => Promise<{ readonly status?: GoodsStatus }>;
  /** Fails, to be retried, as long as the ERP does not answer in words that are known. */
  readonly readReceipts: (args: { number: string }) => Promise<ReceiptList>;
}

const READ_TIMEOUT_MS = 5_000;
/** What a workflow has to carry stays small. */
const MAX_LINES = 2_000;

const decimal = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/);
const orderSchema = z.object({
  status: z.enum(['posted', 'draft', 'voided']),
  lines: z.array(z.object({ quantity: decimal })).min(1),
});

export function createGoodsActivities({ erpUrl }: { readonly erpUrl: string }): GoodsActivities {
  async function read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const signal = cancellationSignal();
    const outcome = await exchange(erpUrl, { method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal });
    if (outcome.kind !== 'answer' || outcome.answer.status !== 200) return undefined;
    return schema.safeParse(outcome.answer.body).data;
  }

  return {
    async lookForGoods({ number }) {
      const order = await read(`/orders/${encodeURIComponent(number)}`, orderSchema);
      const found = await read(receiptsPath(number), receiptsSchema);
      if (order === undefined || found === undefined) return {};
      return { status: goodsStatus(order, found.receipts) };
    },
    async readReceipts({ number }) {
      const found = await read(receiptsPath(number), receiptsSchema);
      if (found === undefined) {
        throw ApplicationFailure.retryable('The ERP has not shown its goods receipts yet.', 'ReceiptsPending');
      }
      const receipts = bounded(found.receipts);
      return { receipts, leftOut: found.receipts.length - receipts.length };
    },
  };
}

function goodsStatus(order: z.output<typeof orderSchema>, receipts: readonly GoodsReceipt[]): GoodsStatus {
  const byLine = receivedByLine(receipts);
  const isOpen = order.lines.some(({ quantity }, index) => isAbove(quantity, byLine.get(index + 1) ?? '0'));
  return {
    ordered: summed(order.lines.map(({ quantity }) => quantity)),
    received: summed([...byLine.values()]),
    isComplete: !isOpen,
    isVoided: order.status === 'voided',
  };
}

function bounded(receipts: readonly GoodsReceipt[]): readonly GoodsReceipt[] {
  let lines = 0;
  return receipts.filter((receipt) => (lines += receipt.lines.length) <= MAX_LINES);
}
