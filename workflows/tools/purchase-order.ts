import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { PostedOrder } from '../../activities/order-draft.ts';
import { taskFileUri } from '../../protocol/blob-ref.ts';
import type { ContentBlock } from '../../protocol/task.ts';
import { completeOrder, type CompletedOrder } from '../order-completion.ts';
import { postExactlyOnce } from '../order-posting.ts';
import { defineTool, toolResult, type TaskContext } from '../tool.ts';

const { readPurchaseRequest } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 10 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Read the purchase request',
});
const { writeOrderPdf } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 4 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Write the PDF of the order',
});

const DAY_MS = 86_400_000;
const MAX_DOCUMENT_CHARS = 200_000;

export const purchaseOrder = defineTool({
  name: 'purchase_order',
  title: 'Place a purchase order',
  description:
    'Places one purchase order in the ERP: checks the purchase policy, asks for what is missing (cost centre, ' +
    'justification), posts the order exactly once and returns its number and a PDF. Pass vendor, currency and lines, or ' +
    'the text of a purchase request as document. Amounts are decimal strings such as "12.50". Above the approval limit ' +
    'the order is posted as a draft. Without an idempotencyKey, two calls are two orders.',
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
        neededBy: z.iso.date().optional().describe('YYYY-MM-DD'),
        justification: z.string().max(2_000).optional(),
        document: z
          .strictObject({ format: z.enum(['json', 'csv']), text: z.string().max(MAX_DOCUMENT_CHARS) })
          .optional()
          .describe('The text of a purchase request, instead of the other arguments'),
      })
      .superRefine(({ document, ...fields }, context) => {
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
      status: z.enum(['posted', 'draft']),
      vendor: z.string(),
      total: z.string(),
      currency: z.string(),
      costCentre: z.string(),
      policyVersion: z.string(),
      taskId: z.string(),
    }),
  task: 'optional',
  hasEffects: true,
  ttlMs: 7 * DAY_MS,
  maxTtlMs: 30 * DAY_MS,
  summary: ({ document, vendor, currency, lines }) =>
    document === undefined
      ? [shortened(vendor ?? ''), exactTotal(lines ?? [], currency ?? '')].filter((part) => part !== '').join(' · ')
      : `purchase request (${document.format})`,

  async run(input, task) {
    const draft = await task.step('Read the purchase request', () => readPurchaseRequest({ request: input }));
    task.describe({
      Vendor: draft.vendor,
      Total: `${draft.total} ${draft.currency}`,
      Lines: String(draft.lines.length),
    });
    const { order, verdict } = await completeOrder(draft, task);
    const posted = await postExactlyOnce(task, { ...order, status: verdict.status });
    task.describe({ Order: `${posted.number} (${verdict.status})` });
    const file = await pdfOf({ order, posted, verdict, task });
    const structured = {
      orderNumber: posted.number,
      status: verdict.status,
      vendor: order.vendor,
      total: order.total,
      currency: order.currency,
      costCentre: order.costCentre ?? '',
      policyVersion: verdict.policyVersion,
      taskId: task.id,
    };
    return toolResult(resultText({ order, posted, verdict, hasFile: file !== undefined }), {
      structured,
      links: file === undefined ? [] : [file],
    });
  },
});

interface PdfParts extends CompletedOrder {
  readonly posted: PostedOrder;
  readonly task: TaskContext;
}

/** The order stands with or without its PDF. */
async function pdfOf({ order, posted, verdict, task }: PdfParts): Promise<ContentBlock | undefined> {
  try {
    const { name, mimeType, ref } = await task.step('Write the PDF of the order', () =>
      writeOrderPdf({
        owner: { caller: task.caller, taskId: task.id },
        order: { ...order, ...posted, status: verdict.status, policyVersion: verdict.policyVersion },
      }),
    );
    const uri = taskFileUri(task.id, name);
    return { type: 'resource_link', uri, name, title: `Purchase order ${posted.number}`, mimeType, size: ref.bytes };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}

function resultText({ order, posted, verdict, hasFile }: Omit<PdfParts, 'task'> & { hasFile: boolean }): string {
  const what = `${order.vendor}, ${order.total} ${order.currency}, cost centre ${order.costCentre ?? ''}`;
  const headline =
    verdict.status === 'posted'
      ? `Order ${posted.number} is posted: ${what}.`
      : `Order ${posted.number} is a draft: ${what}. It is above the approval limit of ` +
        `${verdict.approvalAbove} ${order.currency}; the vendor gets it once it is approved in the ERP.`;
  return hasFile ? headline : `${headline} Its PDF could not be stored and is missing; the order stands all the same.`;
}

/** The Temporal UI takes 200 bytes. */
function shortened(vendor: string): string {
  const characters = [...vendor];
  return characters.length <= 40 ? vendor : `${characters.slice(0, 39).join('')}…`;
}

/** Without a library: the total when no line needs rounding, else nothing. */
function exactTotal(lines: readonly { quantity: string; unitPrice: string }[], currency: string): string {
  const decimals = Math.max(0, ...lines.map(({ unitPrice }) => unitPrice.split('.')[1]?.length ?? 0));
  const scaled = (value: string): bigint => {
    const [whole = '0', fraction = ''] = value.split('.');
    return BigInt(whole + fraction.padEnd(4, '0'));
  };
  const total = lines.reduce((sum, line) => sum + scaled(line.quantity) * scaled(line.unitPrice), 0n);
  const digits = total.toString().padStart(9, '0');
  const fraction = digits.slice(-8);
  if (/[1-9]/.test(fraction.slice(decimals))) return '';
  return `${digits.slice(0, -8)}${decimals > 0 ? `.${fraction.slice(0, decimals)}` : ''} ${currency}`;
}
