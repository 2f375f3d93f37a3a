/**
 * Invoices written as CSV: a header line, then one line of an invoice a record. What belongs to the whole invoice stands in
 * its first record, or in all of them alike. An invoice of which one record cannot be read is not read at all.
 */
import { setImmediate } from 'node:timers/promises';
import { CsvError } from 'csv-parse/sync';
import { readCsvRecords } from '../csv-records.ts';
import { finishInvoice, numbersOf, type PrintedInvoice } from './finish-invoice.ts';
import { columnsOf, type CsvColumn } from './csv-columns.ts';
import type { InvoiceFault, ReadInvoice, ReadInvoices } from './invoice.ts';
import { readInvoiceDate } from './invoice-date.ts';
import { MAX_LINES, type PrintedLine } from './invoice-table.ts';
import { decimalSignOf, type DecimalSign } from './notation.ts';
import { ReadFault } from './read-fault.ts';

export const MAX_RECORDS = 50_000;
const MAX_RECORD_CHARS = 10_000;
const ITEMS_A_TURN = 1_000;
/** Two decimals: what tells notations apart stands in amounts of any currency that has some. */
const MINOR_UNITS = 2;

type Cells = Readonly<Partial<Record<CsvColumn, string>>>;
interface CsvRecord {
  readonly cells: Cells;
  /** On which line of the file it begins; the header is line 1. */
  readonly row: number;
}
interface Group {
  readonly records: CsvRecord[];
  fault?: { readonly row: number; readonly message: string };
}

/** @throws ReadFault when nothing in the file can be read */
export async function readCsvInvoices(text: string, file: string): Promise<ReadInvoices> {
  const { columns, records } = recordsOf(text.replace(/^\ufeff/, ''));
  const groups = new Map<string, Group>();
  const faults: InvoiceFault[] = [];
  for (const { record, row } of records) {
    const cells = cellsOf(record, columns);
    const { vendor, number } = cells;
    const isWhole = record.length === columns.length;
    if (vendor === undefined || number === undefined) {
      faults.push({ file, row, message: isWhole ? 'The vendor or the invoice number is missing.' : CELLS_TEXT });
      continue;
    }
    const key = JSON.stringify([vendor, number]);
    const group: Group = groups.get(key) ?? { records: [] };
    groups.set(key, group);
    group.records.push({ cells, row });
    if (!isWhole) group.fault ??= { row, message: CELLS_TEXT };
  }
  const printed = await flatMapped([...groups.values()], (group) =>
    attempt(file, faults, group, () => toPrinted(group, file)),
  );
  const sign = printed.length === 0 ? '.' : signOf(printed);
  const invoices = await flatMapped(printed, (invoice) => finished(invoice, sign, faults));
  return { invoices, faults: faults.toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0)) };
}

/** Between some of them others have their turn: what runs beside it has to be heard of within seconds. */
async function flatMapped<A, B>(items: readonly A[], map: (item: A) => readonly B[]): Promise<readonly B[]> {
  const mapped: B[] = [];
  for (let at = 0; at < items.length; at += ITEMS_A_TURN) {
    if (at > 0) await setImmediate();
    mapped.push(...items.slice(at, at + ITEMS_A_TURN).flatMap(map));
  }
  return mapped;
}

const CELLS_TEXT =
  'The line has not as many cells as the header. A cell that holds the separator needs quotes: "Screws; M8".';

/** One notation for the whole file. */
function signOf(printed: readonly PrintedInvoice[]): DecimalSign {
  return decimalSignOf(printed.flatMap(numbersOf), MINOR_UNITS);
}

function finished(invoice: PrintedInvoice, sign: DecimalSign, faults: InvoiceFault[]): readonly ReadInvoice[] {
  try {
    return [finishInvoice(invoice, sign)];
  } catch (error) {
    if (!(error instanceof ReadFault)) throw error;
    faults.push({ ...invoice.source, message: named(invoice.number, error.message) });
    return [];
  }
}

function attempt(
  file: string,
  faults: InvoiceFault[],
  { records: [first], fault }: Group,
  read: () => PrintedInvoice,
): readonly PrintedInvoice[] {
  const number = first?.cells.number ?? '';
  try {
    if (fault === undefined) return [read()];
    faults.push({ file, row: fault.row, message: named(number, fault.message) });
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    faults.push({ file, row: error.row, message: named(number, error.message) });
  }
  return [];
}

function named(number: string, message: string): string {
  return `Invoice ${number.slice(0, 60)} was not read. ${message}`;
}

class RecordFault extends Error {
  readonly row: number;
  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}

function toPrinted({ records }: Group, file: string): PrintedInvoice {
  const row = records[0]?.row ?? 0;
  if (records.length > MAX_LINES) throw new RecordFault(row, `An invoice may have at most ${String(MAX_LINES)} lines.`);
  const shared = (column: CsvColumn): string | undefined => sharedOf(records, column);
  const needed = (column: CsvColumn): string => shared(column) ?? missing(row, column);
  const [orderNumber, issued, net, tax] = (['orderNumber', 'issuedOn', 'net', 'tax'] as const).map(shared);
  const issuedOn = issued === undefined ? undefined : readInvoiceDate(issued);
  if (issued !== undefined && issuedOn === undefined) {
    throw new RecordFault(row, 'The date cannot be read. Write it as YYYY-MM-DD.');
  }
  return {
    isCredit: false,
    number: needed('number'),
    vendor: needed('vendor'),
    ...(orderNumber === undefined ? {} : { orderNumber }),
    ...(issuedOn === undefined ? {} : { issuedOn }),
    currency: needed('currency'),
    lines: records.map(toLine),
    ...(net === undefined ? {} : { net }),
    taxes: tax === undefined ? [] : [tax],
    total: needed('total'),
    source: { file, row },
  };
}

function sharedOf(records: readonly CsvRecord[], column: CsvColumn): string | undefined {
  let value: string | undefined;
  for (const { cells, row } of records) {
    const cell = cells[column];
    if (cell === undefined) continue;
    value ??= cell;
    if (cell !== value) throw new RecordFault(row, `The column ${column} differs between the lines of the invoice.`);
  }
  return value;
}

function toLine({ cells, row }: CsvRecord): PrintedLine {
  const needed = (column: CsvColumn): string => cells[column] ?? missing(row, column);
  return {
    description: needed('description'),
    ...(cells.sku === undefined ? {} : { sku: cells.sku }),
    quantity: needed('quantity'),
    unitPrice: needed('unitPrice'),
    amount: needed('amount'),
  };
}

function missing(row: number, column: CsvColumn): never {
  throw new RecordFault(row, `The column ${column} is empty.`);
}

function cellsOf(record: readonly string[], columns: readonly CsvColumn[]): Cells {
  const cells: Partial<Record<CsvColumn, string>> = {};
  for (const [index, column] of columns.entries()) {
    const cell = record[index]?.trim() ?? '';
    if (cell !== '') cells[column] = cell;
  }
  return cells;
}

interface ParsedCsv {
  readonly columns: readonly CsvColumn[];
  readonly records: readonly { readonly record: readonly string[]; readonly row: number }[];
}

function recordsOf(text: string): ParsedCsv {
  const bounds = { maxRecordChars: MAX_RECORD_CHARS, maxRecords: MAX_RECORDS + 2, isLengthFree: true };
  try {
    const parsed = readCsvRecords(text, bounds);
    const [header, ...rest] = parsed;
    if (rest.length > MAX_RECORDS) {
      throw new ReadFault(`A CSV may have at most ${String(MAX_RECORDS)} lines. Send it in parts.`);
    }
    if (header === undefined || rest.length === 0) throw new ReadFault('The CSV has no line below its header.');
    const records = rest.map(({ record, info }) => ({ record, row: info.lines - breaksIn(record) }));
    return { columns: columnsOf(header.record), records };
  } catch (error) {
    throw error instanceof CsvError ? new ReadFault(csvText(error)) : error;
  }
}

/** A quoted cell may hold line breaks: the parser tells the line where a record ends. */
function breaksIn(record: readonly string[]): number {
  return record.join('').split(/\r\n|\r|\n/).length - 1;
}

function csvText(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? ` from line ${String(error['lines'])} on` : '';
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'The CSV ends inside a quoted cell. It may have been cut off: send it whole.';
    case 'CSV_MAX_RECORD_SIZE':
      return `The CSV cannot be read${line}: a line is longer than ${String(MAX_RECORD_CHARS)} characters.`;
    default:
      return `The CSV cannot be read${line}: a quote is in the wrong place. Inside a quoted cell, write "" for ".`;
  }
}
