/**
 * The PDF of an order. The same order makes the same bytes, so that writing it again is harmless: nothing in it comes
 * from a clock or from chance.
 */
import PDFDocument from 'pdfkit';
import type { BlobStore, FileOwner, StoredFile } from '../store/blobs.ts';
import { withHeartbeats } from './attempt.ts';
import type { DraftLine, OrderDraft, PostedOrder } from './order-draft.ts';
import { BOLD, PLAIN, runsOf } from './pdf-fonts.ts';

export interface OrderOnPaper extends OrderDraft, Omit<PostedOrder, 'status'> {
  readonly status: 'posted' | 'draft';
  readonly policyVersion: string;
}

export interface OrderPdfActivities {
  writeOrderPdf(args: { owner: FileOwner; order: OrderOnPaper }): Promise<StoredFile>;
}

export function createOrderPdfActivities(blobs: BlobStore): OrderPdfActivities {
  return {
    async writeOrderPdf({ owner, order }) {
      return withHeartbeats('Writing the PDF of the order', async () => {
        const bytes = await orderPdf(order);
        const name = `purchase-order-${order.number}.pdf`;
        return blobs.put(owner, { name, mimeType: 'application/pdf', bytes });
      });
    },
  };
}

const MARGIN = 50;
const TEXT_SIZE = 9;
const COLUMNS = { description: 200, sku: 75, quantity: 60, unitPrice: 75, amount: 85 } as const;
type Column = keyof typeof COLUMNS;
const HEADINGS: Readonly<Record<Column, string>> = {
  description: 'Description',
  sku: 'SKU',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  amount: 'Amount',
};
const RIGHT_ALIGNED: readonly Column[] = ['quantity', 'unitPrice', 'amount'];

export async function orderPdf(order: OrderOnPaper): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: `Purchase order ${order.number}`, CreationDate: new Date(order.acceptedAt) },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
  new OrderSheet(document, order).draw();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

class OrderSheet {
  readonly #document: PDFKit.PDFDocument;
  readonly #order: OrderOnPaper;
  readonly #bottom: number;

  constructor(document: PDFKit.PDFDocument, order: OrderOnPaper) {
    this.#document = document;
    this.#order = order;
    this.#bottom = document.page.height - MARGIN - 20;
  }

  draw(): void {
    this.#head();
    this.#columnHeadings();
    for (const line of this.#order.lines) this.#line(line);
    this.#total();
    this.#pageNumbers();
  }

  #head(): void {
    const { number, status, vendor, costCentre, neededBy, justification, acceptedAt, policyVersion } = this.#order;
    this.#write(status === 'draft' ? `Purchase order ${number} (draft)` : `Purchase order ${number}`, {
      size: 18,
      font: BOLD,
    });
    this.#document.moveDown(0.5);
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['Vendor', vendor],
      ['Date', acceptedAt.slice(0, 10)],
      ['Cost centre', costCentre],
      ['Needed by', neededBy],
      ['Justification', justification],
      ['Purchase policy', policyVersion],
      ['Status', status === 'draft' ? 'Draft: not valid before it is approved' : undefined],
    ];
    for (const [name, value] of facts) {
      if (value !== undefined) this.#write(`${name}: ${value}`, { size: 10 });
    }
    this.#document.moveDown(1);
  }

  #columnHeadings(): void {
    this.#row(HEADINGS, BOLD);
    const { y } = this.#document;
    this.#document.moveTo(MARGIN, y).lineTo(this.#right, y).lineWidth(0.5).stroke();
    this.#document.y = y + 4;
  }

  #line({ description, sku = '', quantity, unitPrice, amount }: DraftLine): void {
    const cells = { description, sku, quantity, unitPrice, amount };
    if (this.#document.y + this.#heightOf(cells) > this.#bottom) {
      this.#document.addPage();
      this.#columnHeadings();
    }
    this.#row(cells, PLAIN);
  }

  #total(): void {
    const { total, currency } = this.#order;
    if (this.#document.y + 30 > this.#bottom) this.#document.addPage();
    const y = this.#document.y + 4;
    this.#document.moveTo(MARGIN, y).lineTo(this.#right, y).stroke();
    this.#document.y = y + 6;
    this.#write(`Total ${total} ${currency}`, { size: 11, font: BOLD, align: 'right' });
  }

  #pageNumbers(): void {
    const { start, count } = this.#document.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      this.#document.switchToPage(index);
      // Below the margin pdfkit would start another page.
      this.#document.page.margins.bottom = 0;
      this.#write(`${this.#order.number} · page ${index + 1} of ${count}`, {
        size: 8,
        align: 'center',
        y: this.#document.page.height - MARGIN + 10,
      });
    }
  }

  #row(cells: Readonly<Record<Column, string>>, font: string): void {
    const top = this.#document.y;
    let x = MARGIN;
    let bottom = top;
    for (const [name, width] of Object.entries(COLUMNS) as [Column, number][]) {
      const align = RIGHT_ALIGNED.includes(name) ? 'right' : 'left';
      this.#write(cells[name], { size: TEXT_SIZE, font, align, x, y: top, width: width - 8 });
      bottom = Math.max(bottom, this.#document.y);
      x += width;
    }
    this.#document.x = MARGIN;
    this.#document.y = bottom + 3;
  }

  /** An upper bound: words may leave a part of each text line empty. */
  #heightOf(cells: Readonly<Record<Column, string>>): number {
    this.#document.font(PLAIN, TEXT_SIZE);
    const lineCounts = (['description', 'sku'] as const).map((name) => {
      const width = runsOf(cells[name]).reduce(
        (sum, run) => sum + this.#document.font(run.font ?? PLAIN, TEXT_SIZE).widthOfString(run.text),
        0,
      );
      return Math.ceil((width * 1.3) / (COLUMNS[name] - 8)) + 1;
    });
    return Math.max(...lineCounts) * TEXT_SIZE * 1.5;
  }

  get #right(): number {
    return this.#document.page.width - MARGIN;
  }

  #write(text: string, options: WriteOptions): void {
    const { size, font = PLAIN, x = MARGIN, y = this.#document.y, align = 'left' } = options;
    const width = options.width ?? this.#right - x;
    const runs = runsOf(text);
    for (const [index, run] of runs.entries()) {
      const continued = index < runs.length - 1;
      this.#document.font(run.font ?? font, size);
      if (index === 0) this.#document.text(run.text, x, y, { width, align, continued, lineGap: 1.5 });
      else this.#document.text(run.text, { width, align, continued, lineGap: 1.5 });
    }
  }
}

interface WriteOptions {
  readonly size: number;
  readonly font?: string;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly align?: 'left' | 'right' | 'center';
}
