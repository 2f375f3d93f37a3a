import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { PostedOrder } from '../../activities/order-draft.ts';
import { approvedOrder, type ApprovedOrder } from '../order-approval.ts';
import { awaitGoods } from '../order-goods.ts';
import { writeOrderFile } from '../order-paper.ts';
import { postExactlyOnce } from '../order-posting.ts';
import { orderResult, type OrderLink } from '../order-result.ts';
import { orderSummary } from '../order-summary.ts';
import { tellVendor } from '../order-vendor.ts';
import { defineTool, type TaskContext } from '../tool.ts';
import { decideWithinSeconds } from '../hurried-need.ts';

const { readPurchaseRequest } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 10 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Read the purchase request',
});

const DAY_MS = 86_400_000;
const MAX_DOCUMENT_CHARS = 200_000;
const MAX_GOODS_DAYS = 60;

export const purchaseOrder = defineTool({
  name: 'purchase_order',
  title: 'Place a purchase order',
  description:
    'Places one purchase order in the ERP: checks the purchase policy, asks for what is missing (cost centre, ' +
    'justification), has the order approved by other people where the policy wants it, which may take days, posts it ' +
    'exactly once, mails it to the vendor where the policy knows an address, and returns its number and a PDF; with ' +
    'awaitGoodsForDays it goes on until the goods have come. Pass vendor, currency and lines, or the text of a purchase request as ' +
    'document. Amounts are decimal strings such as "12.50". Without an idempotencyKey, two calls are two orders.',
  input: (z) => {
    const decimal = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, { error: 'must be a decimal string like "12.50"' });
    const line = z.strictObject({
      description: z.string().min(1).max(200),
      sku: z.string().max(64).optional(),
      quantity: decimal.describe('Decimal string, at most 3 decimals'),
      unitPrice: decimal.describe('Decimal string with no more decimals than the currency has'),
    });
    return z
      .strictObject({
        vendor: z.string().min(1).max(120).optional(),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code like "EUR"' })
          .optional(),
        lines: z.array(line).min(1).max(1_000).optional(),
        total: decimal.optional().describe('If given, it must be the sum of the lines'),
        costCentre: z.string().max(40).optional(),
        category: z
          .string()
          .max(40)
          .optional()
          .describe('A category of the purchase policy, such as "it" or "services"'),
        neededBy: z.iso.date().optional().describe('YYYY-MM-DD'),
        justification: z.string().max(2_000).optional(),
        document: z
          .strictObject({ format: z.enum(['json', 'csv']), text: z.string().max(MAX_DOCUMENT_CHARS) })
          .optional()
          .describe('The text of a purchase request, instead of the fields of the order'),
        decideWithinSeconds: decideWithinSeconds(z),
        awaitGoodsForDays: z
          .int()
          .min(1)
          .max(MAX_GOODS_DAYS)
          .optional()
          .describe(
            'Wait so many days for the goods, and return their receipts; without it the order itself is the end',
          ),
      })
      .superRefine(({ document, decideWithinSeconds: _, awaitGoodsForDays: __, ...fields }, context) => {
        const complain = (name: string, message: string): void =>
          context.addIssue({ code: 'custom', path: [name], message });
        for (const name of ['vendor', 'currency', 'lines'] as const) {
          if (document === undefined && fields[name] === undefined) complain(name, 'is missing, and so is document');
        }
        const others = Object.keys(fields).length > 0;
        if (document !== undefined && others) complain('document', 'cannot be combined with other arguments');
      });
  },
  output: (z) =>
    z.object({
      orderNumber: z.string(),
      status: z.enum(['posted', 'voided']),
      vendor: z.string(),
      total: z.string(),
      currency: z.string(),
      costCentre: z.string(),
      policyVersion: z.string(),
      approvedBy: z.array(z.string()),
      vendorMail: z.enum(['sent', 'not_sent', 'unknown']),
      goods: z
        .object({
          status: z.enum(['complete', 'incomplete', 'voided']),
          ordered: z.string().optional(),
          received: z.string().optional(),
          receipts: z.array(
            z.object({
              number: z.string(),
              receivedAt: z.string(),
              lines: z.array(z.object({ line: z.int(), quantity: z.string() })),
            }),
          ),
          receiptsLeftOut: z.int().optional(),
        })
        .optional(),
      taskId: z.string(),
    }),
  task: 'optional',
  hasEffects: true,
  ttlMs: 7 * DAY_MS,
  maxTtlMs: 90 * DAY_MS,
  summary: orderSummary,

  async run({ decideWithinSeconds, awaitGoodsForDays, ...request }, task) {
    const draft = await task.step('Read the purchase request', () => readPurchaseRequest({ request }));
    task.describe({
      Vendor: draft.vendor,
      Total: `${draft.total} ${draft.currency}`,
      Lines: String(draft.lines.length),
    });
    const decideWithinMs = decideWithinSeconds === undefined ? undefined : decideWithinSeconds * 1_000;
    const approved = await approvedOrder(draft, task, decideWithinMs);
    const posted = await postExactlyOnce(task, { ...approved.order, status: 'posted' });
    task.describe({ Order: `${posted.number} (posted)` });
    const file = await pdfOf(approved, posted, task);
    const told = await tellVendor(task, { approved, posted, fileName: file?.name });
    const goods =
      awaitGoodsForDays === undefined ? undefined : await awaitGoods(task, posted.number, awaitGoodsForDays);
    return orderResult(task.id, { approved, posted, file, told, goods });
  },
});

/** The order stands with or without its PDF. */
async function pdfOf(approved: ApprovedOrder, posted: PostedOrder, task: TaskContext): Promise<OrderLink | undefined> {
  const { order, verdict, approvedBy } = approved;
  const { number, acceptedAt } = posted;
  const paper = { ...order, number, datedAt: acceptedAt, policyVersion: verdict.policyVersion, approvedBy };
  const file = await writeOrderFile(task, `purchase-order-${number}.pdf`, paper);
  if (file === undefined) return undefined;
  const { uri, name, mimeType, bytes } = file;
  return { type: 'resource_link', uri, name, title: `Purchase order ${number}`, mimeType, size: bytes };
}
