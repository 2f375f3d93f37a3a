/** Draws an invoice: text at places, and a table that goes on over pages. */
import PDFDocument from 'pdfkit';

export type Align = 'left' | 'right';

export interface SheetColumn {
  readonly title: string;
  readonly left: number;
  readonly width: number;
  readonly align: Align;
}

export interface TableTexts {
  readonly columns: readonly SheetColumn[];
  /** A cell a column. */
  readonly rows: readonly (readonly string[])[];
  /** Printed at the end of a page and at the start of the next one, for how many rows are done. */
  readonly carried?: (doneCount: number) => readonly [before: string, after: string, amount: string];
  /** Drawn on each page but the first, before the table goes on. */
  readonly pageHead?: (sheet: Sheet) => void;
}

const BOTTOM = 760;
const ROW_GAP = 4;

export class Sheet {
  readonly #document: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #font: { readonly plain: string; readonly bold: string };
  /** Where the next row begins. */
  y = 60;

  constructor(font: { readonly plain: string; readonly bold: string }, issuedOn: string) {
    this.#font = font;
    // The same invoice makes the same bytes.
    const made = new Date(`${issuedOn}T00:00:00Z`);
    this.#document = new PDFDocument({ size: 'A4', margin: 50, info: { CreationDate: made, ModDate: made } });
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  text(text: string, at: { x: number; y: number; size?: number; bold?: boolean; width?: number; align?: Align }): void {
    const { x, y, size = 9, bold = false, width = 300, align = 'left' } = at;
    this.#document.font(bold ? this.#font.bold : this.#font.plain).fontSize(size);
    this.#document.text(text, x, y, { width, align, lineBreak: align === 'left' && width < 300 });
  }

  table({ columns, rows, carried, pageHead }: TableTexts): void {
    this.#headings(columns);
    for (const [index, cells] of rows.entries()) {
      const height = this.#heightOf(columns, cells);
      if (this.y + height + 40 > BOTTOM) {
        this.#turnPage(carried?.(index), columns, pageHead);
      }
      for (const [index, column] of columns.entries()) this.#cell(column, cells[index] ?? '');
      this.y += height + ROW_GAP;
    }
  }

  /** A label and an amount below the table. */
  sum(label: string, amount: string, { x, right, bold = false }: { x: number; right: number; bold?: boolean }): void {
    if (this.y + 20 > BOTTOM) this.newPage();
    this.text(label, { x, y: this.y, bold, width: 170 });
    this.text(amount, { x: right - 120, y: this.y, width: 120, align: 'right', bold });
    this.y += 15;
  }

  newPage(): void {
    this.#document.addPage();
    this.y = 60;
  }

  async bytes(): Promise<Buffer> {
    const ended = new Promise<void>((resolve, reject) => this.#document.once('end', resolve).once('error', reject));
    this.#document.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }

  #turnPage(
    carried: readonly [string, string, string] | undefined,
    columns: readonly SheetColumn[],
    pageHead: ((sheet: Sheet) => void) | undefined,
  ): void {
    const right = Math.max(...columns.map(({ left, width }) => left + width));
    if (carried !== undefined) this.sum(carried[0], carried[2], { x: 300, right });
    this.newPage();
    pageHead?.(this);
    this.#headings(columns);
    if (carried !== undefined) this.sum(carried[1], carried[2], { x: 300, right });
  }

  #headings(columns: readonly SheetColumn[]): void {
    for (const column of columns) this.#cell(column, column.title, true);
    this.y += 16;
  }

  #cell({ left, width, align }: SheetColumn, text: string, bold = false): void {
    this.text(text, { x: left, y: this.y, width, align, bold });
  }

  #heightOf(columns: readonly SheetColumn[], cells: readonly string[]): number {
    this.#document.font(this.#font.plain).fontSize(9);
    const heights = cells.map((cell, index) => {
      const { width = 100, align } = columns[index] ?? {};
      return align === 'left' ? this.#document.heightOfString(cell, { width }) : 11;
    });
    return Math.max(...heights);
  }
}
