/** From pieces of text on a page to rows of cells, as an eye puts them together. */
import type { TextPiece } from './pdf-text.ts';
import { ReadFault } from './read-fault.ts';

export interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

export interface Row {
  readonly page: number;
  readonly y: number;
  readonly height: number;
  /** From left to right. */
  readonly cells: readonly Cell[];
}

/** In heights of the text. */
const SAME_LINE = 0.4;
const SPACE = 0.12;
const NEXT_CELL = 0.9;
/** Each is compared with each heading above it: a row of thousands would keep a worker busy for minutes. */
const MAX_CELLS = 500;

/** @throws ReadFault when a row is like none of a table */
export function rowsOf(pages: readonly (readonly TextPiece[])[]): readonly Row[] {
  return pages.flatMap((pieces, index) => linesOf(pieces).map((line) => toRow(line, index + 1)));
}

export function textOfRow({ cells }: Row): string {
  return cells.map(({ text }) => text).join(' ');
}

function linesOf(pieces: readonly TextPiece[]): readonly (readonly TextPiece[])[] {
  const lines: TextPiece[][] = [];
  for (const piece of pieces.toSorted((one, other) => one.y - other.y)) {
    const line = lines.at(-1);
    const [first] = line ?? [];
    if (first !== undefined && piece.y - first.y <= SAME_LINE * Math.max(first.height, piece.height)) line?.push(piece);
    else lines.push([piece]);
  }
  return lines;
}

function toRow(line: readonly TextPiece[], page: number): Row {
  const cells: Cell[] = [];
  for (const piece of line.toSorted((one, other) => one.left - other.left)) {
    const last = cells.at(-1);
    const height = Math.max(piece.height, last?.height ?? 0, 1);
    const gap = last === undefined ? Infinity : piece.left - last.right;
    if (last === undefined || gap > NEXT_CELL * height) cells.push(piece);
    else cells[cells.length - 1] = joined(last, piece, gap > SPACE * height);
  }
  if (cells.length > MAX_CELLS)
    throw new ReadFault(`Page ${String(page)}: a row has more than ${String(MAX_CELLS)} cells.`);
  const clean = cells.map(({ text, ...cell }) => ({ ...cell, text: text.replace(/\s+/g, ' ').trim() }));
  return { page, y: line[0]?.y ?? 0, height: Math.max(...line.map(({ height }) => height)), cells: clean };
}

function joined(one: Cell, other: TextPiece, withSpace: boolean): Cell {
  return {
    text: one.text + (withSpace ? ' ' : '') + other.text,
    left: one.left,
    right: Math.max(one.right, other.right),
    height: Math.max(one.height, other.height),
  };
}
