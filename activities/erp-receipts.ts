/** Goods receipts of an order, as the ERP shows them: the one place that knows their shape. */
import Big from 'big.js';
import { z } from 'zod';

export interface GoodsReceipt {
  readonly number: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** `line` of the order counts from 1; `quantity` is a decimal string, below zero for what went back. */
  readonly lines: readonly { readonly line: number; readonly quantity: string }[];
}

export const receiptsSchema = z.object({
  receipts: z.array(
    z.object({
      number: z.string().regex(/^[A-Za-z0-9-]{1,40}$/),
      receivedAt: z.iso.datetime({ offset: true }),
      lines: z.array(z.object({ line: z.int().min(1), quantity: z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/) })),
    }),
  ),
});

/** Where the ERP has them. */
export function receiptsPath(orderNumber: string): string {
  return `/orders/${encodeURIComponent(orderNumber)}/receipts`;
}

/** What has come, by line of the order. Decimal strings. */
export function receivedByLine(receipts: readonly GoodsReceipt[]): ReadonlyMap<number, string> {
  const sums = new Map<number, string>();
  for (const { line, quantity } of receipts.flatMap(({ lines }) => lines)) {
    sums.set(line, new Big(sums.get(line) ?? '0').plus(quantity).toFixed());
  }
  return sums;
}
