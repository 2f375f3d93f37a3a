/**
 * A PDF of facts and tables on A4. The same sheet makes the same bytes, so that writing it again is harmless: nothing in it
 * comes from a clock or from chance.
 */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { BOLD, PLAIN, runsOf } from './pdf-fonts.ts';

export interface Sheet {
  readonly title: string;
  /** ISO 8601. */
  readonly datedAt: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly tables: readonly SheetTable[];
  /** Under the last table, on the right. */
  readonly closing?: string;
}

export interface SheetTable {
  readonly heading?: string;
  /** Widths in points, 495 in all. */
  readonly columns: readonly SheetColumn[];
  /** A cell for each column. */
  readonly rows: readonly (readonly string[])[];
}

export interface SheetColumn {
  readonly heading: string;
  readonly width: number;
  readonly align?: 'right';
}

const MARGIN = 50;
const TEXT_SIZE = 9;
/** A sheet of thousands of rows takes seconds: in between, heartbeats and whatever else the worker does get their turn. */
const ROWS_A_TURN = 20;

export async function sheetPdf(sheet: Sheet): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: sheet.title, CreationDate: new Date(sheet.datedAt) },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
  await new SheetWriter(document, sheet).draw();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

class SheetWriter {
  readonly #document: PDFKit.PDFDocument;
  readonly #sheet: Sheet;
  readonly #bottom: number;

  constructor(document: PDFKit.PDFDocument, sheet: Sheet) {
    this.#document = document;
    this.#sheet = sheet;
    this.#bottom = document.page.height - MARGIN - 20;
  }

  async draw(): Promise<void> {
    const { title, facts, tables, closing } = this.#sheet;
    this.#write(title, { size: 18, font: BOLD });
    this.#document.moveDown(0.5);
    for (const [name, value] of facts) this.#write(`${name}: ${value}`, { size: 10 });
    this.#document.moveDown(1);
    for (const table of tables) await this.#table(table);
    if (closing !== undefined) this.#closing(closing);
    this.#pageNumbers();
  }

  async #table({ heading, columns, rows }: SheetTable): Promise<void> {
    if (heading !== undefined) {
      if (this.#document.y + 60 > this.#bottom) this.#document.addPage();
      this.#document.moveDown(0.5);
      this.#write(heading, { size: 12, font: BOLD });
      this.#document.moveDown(0.3);
    }
    this.#columnHeadings(columns);
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await setImmediate();
      if (this.#document.y + this.#heightOf(row, columns) > this.#bottom) {
        this.#document.addPage();
        this.#columnHeadings(columns);
      }
      this.#row(row, columns, PLAIN);
    }
  }

  #columnHeadings(columns: readonly SheetColumn[]): void {
    const headings = columns.map(({ heading }) => heading);
    this.#row(headings, columns, BOLD);
    const { y } = this.#document;
    this.#document.moveTo(MARGIN, y).lineTo(this.#right, y).lineWidth(0.5).stroke();
    this.#document.y = y + 4;
  }

  #closing(text: string): void {
    if (this.#document.y + 30 > this.#bottom) this.#document.addPage();
    const y = this.#document.y + 4;
    this.#document.moveTo(MARGIN, y).lineTo(this.#right, y).stroke();
    this.#document.y = y + 6;
    this.#write(text, { size: 11, font: BOLD, align: 'right' });
  }

  #pageNumbers(): void {
    const { start, count } = this.#document.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      this.#document.switchToPage(index);
      // Below the margin pdfkit would start another page.
      this.#document.page.margins.bottom = 0;
      this.#write(`${this.#sheet.title} · page ${index + 1} of ${count}`, {
        size: 8,
        align: 'center',
        y: this.#document.page.height - MARGIN + 10,
      });
    }
  }

  #row(cells: readonly string[], columns: readonly SheetColumn[], font: string): void {
    const top = this.#document.y;
    let x = MARGIN;
    let bottom = top;
    for (const [index, { width, align = 'left' }] of columns.entries()) {
      this.#write(cells[index] ?? '', { size: TEXT_SIZE, font, align, x, y: top, width: width - 8 });
      bottom = Math.max(bottom, this.#document.y);
      x += width;
    }
    this.#document.x = MARGIN;
    this.#document.y = bottom + 3;
  }

  /** An upper bound: words may leave a part of each text line empty. Numbers take one line. */
  #heightOf(cells: readonly string[], columns: readonly SheetColumn[]): number {
    this.#document.font(PLAIN, TEXT_SIZE);
    const lineCounts = columns.map(({ width, align }, index) => {
      if (align === 'right') return 1;
      const textWidth = runsOf(cells[index] ?? '').reduce(
        (sum, run) => sum + this.#document.font(run.font ?? PLAIN, TEXT_SIZE).widthOfString(run.text),
        0,
      );
      return Math.ceil((textWidth * 1.3) / (width - 8)) + 1;
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
