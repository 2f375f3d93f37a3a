/** The PDF of an order, or of what somebody is asked to approve. */
import type { BlobStore, FileOwner, StoredFile } from '../store/blobs.ts';
import { withHeartbeats } from './attempt.ts';
import type { OrderDraft } from './order-draft.ts';
import { sheetPdf, type SheetColumn } from './pdf-sheet.ts';

export interface OrderOnPaper extends OrderDraft {
  /** At the ERP. Without it the paper is a request, and nothing is ordered. */
  readonly number?: string;
  /** ISO 8601: when the ERP took the order, or when the approval was asked for. */
  readonly datedAt: string;
  readonly policyVersion: string;
  /** Names. */
  readonly approvedBy: readonly string[];
}

export interface OrderPdfActivities {
  /** `name` is that of the file. */
  writeOrderPdf(args: { owner: FileOwner; name: string; order: OrderOnPaper }): Promise<StoredFile>;
}

export function createOrderPdfActivities(blobs: BlobStore): OrderPdfActivities {
  return {
    async writeOrderPdf({ owner, name, order }) {
      return withHeartbeats('Writing the PDF of the order', async () => {
        const bytes = await orderPdf(order);
        return blobs.put(owner, { name, mimeType: 'application/pdf', bytes });
      });
    },
  };
}

const COLUMNS: readonly SheetColumn[] = [
  { heading: 'Description', width: 200 },
  { heading: 'SKU', width: 75 },
  { heading: 'Quantity', width: 60, align: 'right' },
  { heading: 'Unit price', width: 75, align: 'right' },
  { heading: 'Amount', width: 85, align: 'right' },
];

export async function orderPdf(order: OrderOnPaper): Promise<Buffer> {
  const { number, vendor, costCentre, category, neededBy, justification } = order;
  const { lines, total, currency, datedAt, policyVersion, approvedBy } = order;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Vendor', vendor],
    ['Date', datedAt.slice(0, 10)],
    ['Cost centre', costCentre],
    ['Category', category],
    ['Needed by', neededBy],
    ['Justification', justification],
    ['Purchase policy', policyVersion],
    ['Approved by', approvedBy.length === 0 ? undefined : approvedBy.join(', ')],
    ['Status', number === undefined ? 'Asked for; nothing is ordered' : undefined],
  ];
  const rows = lines.map(({ description, sku = '', quantity, unitPrice, amount }) => [
    description,
    sku,
    quantity,
    unitPrice,
    amount,
  ]);
  return sheetPdf({
    title: number === undefined ? 'Purchase request' : `Purchase order ${number}`,
    datedAt,
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== undefined),
    tables: [{ columns: COLUMNS, rows }],
    closing: `Total ${total} ${currency}`,
  });
}
