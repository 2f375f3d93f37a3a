/**
 * The lines and sums of an invoice, from the rows of its pages. What looks like a line and cannot be read as one makes the
 * whole invoice unreadable: an invoice that lacks a line would be worse than none.
 */
import { columnOf, isCarried, sumOf, type Column, type Sum } from './invoice-labels.ts';
import { isNumber } from './notation.ts';
import { textOfRow, type Cell, type Row } from './page-rows.ts';
import { ReadFault } from './read-fault.ts';

/** Texts as they are printed. */
export interface PrintedLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
}

export interface PrintedTable {
  /** Its first row. */
  readonly header: Row;
  readonly lines: readonly PrintedLine[];
  readonly sums: readonly { readonly sum: Sum; readonly amount: string; readonly row: Row }[];
}

interface Heading {
  readonly column: Column;
  readonly cell: Cell;
}
type Cells = Partial<Record<Column, string>>;

/** In heights of the text, from one baseline to the next of one description. */
const CONTINUES_WITHIN = 1.8;
export const MAX_LINES = 1_000;
const MAX_SUM_CHARS = 300;
const NEEDED: readonly Column[] = ['description', 'quantity', 'unitPrice', 'amount'];
const AMOUNT_AT_END =
  /^(?<label>.*?\D)\s*(?<amount>(?:[A-Z]{3}|[€£¥$])?\s*[-−(]?\d[\d.,'’ ]*[\d)](?:\s?(?:[A-Z]{3}|[€£¥$]))?)$/;

/** @throws ReadFault */
export function tableOf(rows: readonly Row[]): PrintedTable {
  const first = rows.findIndex((row) => headingsOf(row) !== undefined);
  const header = rows[first];
  if (header === undefined) {
    throw new ReadFault(
      'No table of lines was found. Its columns must have headings for description, quantity, unit price and amount.',
    );
  }
  const reader = new TableReader();
  for (const row of rows.slice(first)) reader.take(row);
  const { lines, sums } = reader;
  if (lines.length === 0) throw new ReadFault('The table has no lines that can be read.');
  return { header, lines, sums };
}

function headingsOf({ cells }: Row): readonly Heading[] | undefined {
  const headings = cells.flatMap((cell): Heading[] => {
    const column = columnOf(cell.text);
    return column === undefined ? [] : [{ column, cell }];
  });
  const columns = headings.map(({ column }) => column);
  return NEEDED.every((column) => columns.includes(column)) ? headings : undefined;
}

class TableReader {
  readonly lines: PrintedLine[] = [];
  readonly sums: { sum: Sum; amount: string; row: Row }[] = [];
  #headings: readonly Heading[] = [];
  /** Of the line that the next row may go on with. */
  #previous: Row | undefined;

  take(row: Row): void {
    const headings = headingsOf(row);
    if (headings !== undefined) {
      this.#headings = headings;
      this.#previous = undefined;
    } else if (!this.#takeSum(row)) this.#takeLine(row);
  }

  #takeSum(row: Row): boolean {
    const { label, amount } = labelledAmount(row);
    if (amount === undefined || columnOf(label) === 'sku') return false;
    if (this.#isLine(row)) return false;
    if (isCarried(label)) return true;
    const sum = sumOf(label);
    if (sum === undefined) return false;
    this.sums.push({ sum, amount, row });
    this.#previous = undefined;
    return true;
  }

  #isLine(row: Row): boolean {
    const { description, quantity, unitPrice, amount } = this.#cellsOf(row);
    return description !== undefined && [quantity, unitPrice, amount].every(isNumberText);
  }

  #takeLine(row: Row): void {
    // Behind the sums there are terms, bank accounts and the like.
    if (this.sums.length > 0) return;
    const { description, sku, quantity, unitPrice, amount } = this.#cellsOf(row);
    const numbers = [quantity, unitPrice, amount].filter(isNumberText);
    if (description === undefined && sku === undefined && numbers.length < 2) return;
    if (numbers.length === 0) this.#goOn(row, { description, sku, quantity, unitPrice, amount });
    else if (
      description === undefined ||
      quantity === undefined ||
      unitPrice === undefined ||
      amount === undefined ||
      numbers.length < 3
    ) {
      throw new ReadFault(`Page ${String(row.page)}: the line "${textOfRow(row).slice(0, 80)}" cannot be read.`);
    } else {
      if (this.lines.length >= MAX_LINES)
        throw new ReadFault(`An invoice may have at most ${String(MAX_LINES)} lines.`);
      this.lines.push({ description, ...(sku === undefined ? {} : { sku }), quantity, unitPrice, amount });
      this.#previous = row;
    }
  }

  /** A description may take more than one row; what stands farther away belongs to the page. */
  #goOn(row: Row, { description, quantity, unitPrice, amount, sku }: Cells): void {
    const [last, previous] = [this.lines.at(-1), this.#previous];
    const isNear = previous?.page === row.page && row.y - previous.y <= CONTINUES_WITHIN * previous.height;
    const isText = [quantity, unitPrice, amount, sku].every((text) => text === undefined);
    if (last === undefined || description === undefined || !isNear || !isText) {
      this.#previous = undefined;
      return;
    }
    this.lines[this.lines.length - 1] = { ...last, description: `${last.description} ${description}` };
    this.#previous = row;
  }

  #cellsOf(row: Row): Cells {
    const cells: Cells = {};
    for (const cell of row.cells) {
      const column = this.#columnUnder(cell);
      const before = cells[column];
      cells[column] = before === undefined ? cell.text : `${before} ${cell.text}`;
    }
    return cells;
  }

  /** By its nearest edge or middle: texts stand flush left, numbers flush right. */
  #columnUnder(cell: Cell): Column {
    const distances = this.#headings.map(({ column, cell: heading }) => ({
      column,
      distance: distance(cell, heading),
    }));
    return distances.reduce((one, other) => (other.distance < one.distance ? other : one)).column;
  }
}

function distance(cell: Cell, heading: Cell): number {
  const middle = Math.abs(cell.left + cell.right - heading.left - heading.right) / 2;
  return Math.min(Math.abs(cell.left - heading.left), Math.abs(cell.right - heading.right), middle);
}

function isNumberText(text: string | undefined): text is string {
  return text !== undefined && isNumber(text);
}

function labelledAmount(row: Row): { readonly label: string; readonly amount?: string } {
  const last = row.cells.at(-1)?.text ?? '';
  if (row.cells.length > 1 && isNumber(last)) {
    const label = row.cells.slice(0, -1).map(({ text }) => text);
    return { label: label.join(' '), amount: last };
  }
  const text = textOfRow(row);
  // The pattern takes long over long texts, and no sum has one.
  if (text.length > MAX_SUM_CHARS) return { label: text };
  const { label = '', amount } = AMOUNT_AT_END.exec(text)?.groups ?? {};
  return amount === undefined || !isNumber(amount) ? { label } : { label: label.trim(), amount };
}
