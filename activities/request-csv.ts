/**
 * A purchase request written as CSV: a header line, then one line item a record. What belongs to the whole order stands
 * in the first record, or in all of them alike. The cells are separated by `,` or `;`.
 */
import { CsvError } from 'csv-parse/sync';
import { readCsvRecords } from './csv-records.ts';
import {
  checkedDocument,
  type LINE_FIELDS,
  MAX_LINES,
  ORDER_FIELDS,
  type RawField,
  type RawLine,
  type RawRequest,
} from './raw-request.ts';
import { RequestFault } from './request-fault.ts';

type Column = (typeof ORDER_FIELDS)[number] | (typeof LINE_FIELDS)[number];

/** By header, in lower case and without anything but letters. */
const COLUMN_BY_HEADER: ReadonlyMap<string, Column> = new Map(
  Object.entries<Column>({
    vendor: 'vendor',
    currency: 'currency',
    costcentre: 'costCentre',
    costcenter: 'costCentre',
    category: 'category',
    neededby: 'neededBy',
    justification: 'justification',
    total: 'total',
    description: 'description',
    sku: 'sku',
    quantity: 'quantity',
    unitprice: 'unitPrice',
  }),
);
const HEADERS =
  'vendor, currency, cost_centre, category, needed_by, justification, total, description, sku, quantity, unit_price';
const NUMERIC: readonly string[] = ['quantity', 'unitPrice', 'total'];
const MAX_RECORD_CHARS = 10_000;

interface CsvRecord {
  readonly cells: readonly string[];
  /** On which line of the document it ends. */
  readonly line: number;
}

/** @throws RequestFault */
export function parseCsvRequest(text: string): RawRequest {
  const document = checkedDocument(text);
  const [header, ...records] = recordsOf(document);
  const columns = columnsOf(header?.cells ?? []);
  if (records.length === 0) throw new RequestFault('document', 'has a header and no line items.');
  if (records.length > MAX_LINES) throw new RequestFault('document', `must have at most ${MAX_LINES} line items.`);
  const order: Partial<Record<string, RawField>> = {};
  const lines = records.map((record): RawLine => {
    const fields = fieldsOf(record, columns);
    for (const name of ORDER_FIELDS) keepOrderField(order, name, fields[name]);
    return { fields, place: `line ${record.line}` };
  });
  // Without a total nothing else would show that the last amount lost its end.
  if (order['total'] === undefined && !document.endsWith('\n') && !document.endsWith('\r')) {
    const last = records.at(-1)?.line ?? 0;
    throw new RequestFault(
      `line ${last}`,
      'the document may have been cut off here. End its last line with a line break, or add a column total.',
    );
  }
  return { order, lines };
}

function recordsOf(text: string): CsvRecord[] {
  try {
    const parsed = readCsvRecords(text, { maxRecordChars: MAX_RECORD_CHARS, maxRecords: MAX_LINES + 2 });
    return parsed.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (error) {
    throw csvFault(error);
  }
}

function csvFault(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new RequestFault('document', 'ends inside a quoted cell. It may have been cut off: send it whole.');
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return new RequestFault(
        `line ${line}`,
        'has not as many cells as the header. It may have been cut off, or a cell with a separator needs quotes.',
      );
    case 'CSV_MAX_RECORD_SIZE':
      return new RequestFault(`line ${line}`, `is longer than ${MAX_RECORD_CHARS} characters.`);
    default:
      return new RequestFault(`line ${line}`, 'has a quote in the wrong place. Inside a quoted cell, write "" for ".');
  }
}

function columnsOf(header: readonly string[]): Column[] {
  const columns = header.map((cell, index) => {
    const column = COLUMN_BY_HEADER.get(cell.toLowerCase().replace(/[^a-z]/g, ''));
    if (column === undefined) {
      throw new RequestFault(`line 1, column ${index + 1}`, `is not a known header. Known are ${HEADERS}.`);
    }
    return column;
  });
  if (new Set(columns).size < columns.length) throw new RequestFault('line 1', 'names a column twice.');
  return columns;
}

function fieldsOf(record: CsvRecord, columns: readonly Column[]): Partial<Record<Column, RawField>> {
  const fields: Partial<Record<Column, RawField>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = record.cells[index] ?? '';
    const place = `line ${record.line}, column ${snakeCase(column)}`;
    if (isFormula(cell, column)) {
      throw new RequestFault(place, 'starts like a spreadsheet formula (=, +, -, @). Write the plain text or number.');
    }
    if (cell.trim() !== '') fields[column] = { text: cell.trim(), place };
  }
  return fields;
}

function isFormula(cell: string, column: Column): boolean {
  const isNegative = NUMERIC.includes(column) && cell.trimStart().startsWith('-');
  return !isNegative && /^\s*[=+\-@]/.test(cell);
}

function keepOrderField(order: Partial<Record<string, RawField>>, name: string, field: RawField | undefined): void {
  const first = order[name];
  if (field === undefined) return;
  if (first === undefined) order[name] = field;
  else if (first.text !== field.text) {
    throw new RequestFault(field.place, 'differs from the records above. One document is one order.');
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
