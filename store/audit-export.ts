/** The acts of one task, for other programs and for spreadsheets. */
import { csvLine } from '../protocol/csv-cell.ts';
import type { AuditRow } from './audit-chain.ts';

const COLUMNS = ['id', 'taskId', 'seq', 'at', 'type', 'about', 'by', 'data', 'keyId', 'prevHash', 'hash'] as const;

type Cells = Readonly<Record<(typeof COLUMNS)[number], unknown>>;

/** A list of objects; times as ISO 8601, ids as texts. */
export function toJson(rows: readonly AuditRow[]): string {
  return JSON.stringify(rows.map(cellsOf), undefined, 2);
}

/** RFC 4180, with a heading. What a spreadsheet would take for a formula is made a text with a leading apostrophe. */
export function toCsv(rows: readonly AuditRow[]): string {
  const lines = rows.map((row) => {
    // The same for whoever reads JSON, and no cell begins in it where semicolons part cells.
    const data = JSON.stringify(row.data).replaceAll(';', '\\u003b');
    const cells: Cells = { ...cellsOf(row), data };
    return COLUMNS.map((column) => textOf(cells[column]));
  });
  return [COLUMNS, ...lines].map(csvLine).join('');
}

function cellsOf({ id, at, ...rest }: AuditRow): Cells {
  return { ...rest, id: String(id), at: at.toISOString() };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
