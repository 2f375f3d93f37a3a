/** What the caller of `purchase_order` reads once the order is placed. */
import type { PostedOrder } from '../activities/order-draft.ts';
import type { ContentBlock, JsonObject, ToolResult } from '../protocol/task.ts';
import type { ApprovedOrder } from './order-approval.ts';
import { goodsText, type GoodsOutcome } from './order-goods.ts';
import { toldText, vendorMailOf, type VendorTold } from './order-vendor.ts';
import { toolResult } from './tool.ts';

export type OrderLink = Extract<ContentBlock, { type: 'resource_link' }>;

export interface PlacedOrder {
  readonly approved: ApprovedOrder;
  readonly posted: PostedOrder;
  /** `undefined`: the PDF could not be stored. */
  readonly file: OrderLink | undefined;
  readonly told: VendorTold;
  /** `undefined`: nobody has waited for the goods. */
  readonly goods: GoodsOutcome | undefined;
}

export function orderResult(taskId: string, placed: PlacedOrder): ToolResult {
  const { approved, posted, file, told, goods } = placed;
  const { order, verdict, approvedBy } = approved;
  const structured = {
    orderNumber: posted.number,
    status: goods?.kind === 'voided' ? 'voided' : 'posted',
    vendor: order.vendor,
    total: order.total,
    currency: order.currency,
    costCentre: order.costCentre ?? '',
    policyVersion: verdict.policyVersion,
    approvedBy,
    vendorMail: vendorMailOf(told),
    ...(goods === undefined ? {} : { goods: goodsShown(goods) }),
    taskId,
  };
  return toolResult(resultText(placed), { structured, links: file === undefined ? [] : [file] });
}

function resultText({ approved: { order, approvedBy }, posted, file, told, goods }: PlacedOrder): string {
  const what = `${order.vendor}, ${order.total} ${order.currency}, cost centre ${order.costCentre ?? ''}`;
  const by = approvedBy.length === 0 ? '' : `; approved by ${approvedBy.join(' and ')}`;
  return [
    `Order ${posted.number} is posted: ${what}${by}.`,
    ...(file === undefined ? ['Its PDF could not be stored and is missing; the order stands all the same.'] : []),
    toldText(told),
    ...(goods === undefined ? [] : [goodsText(goods)]),
  ].join('\n');
}

function goodsShown({ kind, status, receipts, leftOut }: GoodsOutcome): JsonObject {
  return {
    status: kind === 'waited' ? 'incomplete' : kind,
    ...(status === undefined ? {} : { ordered: status.ordered, received: status.received }),
    receipts: receipts.map(({ number, receivedAt, lines }) => ({ number, receivedAt, lines: [...lines] })),
    ...(leftOut === 0 ? {} : { receiptsLeftOut: leftOut }),
  };
}
