/** One invoice from the text of one PDF. */
import { minorUnitsOf } from '../money.ts';
import { finishInvoice, type PrintedInvoice } from './finish-invoice.ts';
import type { ReadInvoice } from './invoice.ts';
import { isCreditTitle, isTitle, labelIn, type Field } from './invoice-labels.ts';
import { tableOf, type PrintedTable } from './invoice-table.ts';
import { isNumber } from './notation.ts';
import { rowsOf, textOfRow, type Cell, type Row } from './page-rows.ts';
import type { PdfText } from './pdf-text.ts';
import { ReadFault } from './read-fault.ts';
import { readInvoiceDate } from './invoice-date.ts';

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };
/** How far below its label a value may stand, in heights of the label. */
const BELOW_WITHIN = 2.5;

/** @throws ReadFault */
export function readPdfInvoice(pages: PdfText, file: string): ReadInvoice {
  const rows = rowsOf(pages);
  const table = tableOf(rows);
  const before = rows.slice(0, rows.indexOf(table.header));
  const fields = fieldsOf(before);
  const sums = sumsOf(table);
  const currency = currencyOf(fields, rows, table);
  const issuedOn = fields.issuedOn === undefined ? undefined : readInvoiceDate(fields.issuedOn);
  return finishInvoice({
    isCredit: before.some(({ cells }) => cells.some(({ text }) => isCreditTitle(text))),
    number: fields.number ?? missing('number', 'Invoice No.'),
    vendor: fields.vendor ?? letterheadOf(before) ?? missing('vendor', 'Supplier:'),
    ...(fields.orderNumber === undefined ? {} : { orderNumber: fields.orderNumber }),
    ...(issuedOn === undefined ? {} : { issuedOn }),
    currency,
    lines: table.lines,
    ...sums,
    source: { file },
  });
}

function missing(what: string, like: string): never {
  throw new ReadFault(`No ${what} of the invoice was found. It must stand behind or below a label such as "${like}".`);
}

/** Of a field that is named twice the first value counts. */
function fieldsOf(rows: readonly Row[]): Partial<Record<Field, string>> {
  const fields: Partial<Record<Field, string>> = {};
  for (const [rowIndex, { cells }] of rows.entries()) {
    for (const [index, cell] of cells.entries()) {
      const label = labelIn(cell.text);
      if (label === undefined || fields[label.field] !== undefined) continue;
      const value = label.value !== '' ? label.value : (valueBehind(cells, index) ?? valueBelow(rows, rowIndex, cell));
      if (value !== undefined && fits(label.field, value)) fields[label.field] = value;
    }
  }
  return fields;
}

function valueBehind(cells: readonly Cell[], index: number): string | undefined {
  const next = cells[index + 1]?.text.replace(/^:\s*/, '');
  return next === undefined || labelIn(next) !== undefined ? undefined : next;
}

function valueBelow(rows: readonly Row[], index: number, label: Cell): string | undefined {
  const [here, next] = [rows[index], rows[index + 1]];
  if (here === undefined || next?.page !== here.page || next.y - here.y > BELOW_WITHIN * here.height) return undefined;
  const under = next.cells.find(
    (cell) => Math.abs(cell.left - label.left) < label.height || Math.abs(cell.right - label.right) < label.height,
  );
  return under !== undefined && labelIn(under.text) === undefined ? under.text : undefined;
}

function fits(field: Field, value: string): boolean {
  switch (field) {
    case 'number':
    case 'orderNumber':
      return /\d/.test(value);
    case 'issuedOn':
      return /\d{4}/.test(value);
    case 'currency':
      return /\b[A-Z]{3}\b|[€£]/.test(value);
    case 'vendor':
      return /\p{L}/u.test(value);
  }
}

/** Who writes an invoice stands above it, larger than everything else but the word for it. */
function letterheadOf(rows: readonly Row[]): string | undefined {
  const candidates = rows
    .filter(({ page }) => page === 1)
    .flatMap(({ cells }) => cells)
    .filter(({ text }) => /\p{L}{2}/u.test(text) && !isTitle(text) && labelIn(text) === undefined);
  const tallest = Math.max(...candidates.map(({ height }) => height));
  return candidates.find(({ height }) => height > tallest - 0.5)?.text;
}

/** @throws ReadFault when there is none, or more than one */
function currencyOf(fields: Partial<Record<Field, string>>, rows: readonly Row[], table: PrintedTable): string {
  const named = fields.currency === undefined ? [] : codesIn(fields.currency, /\b([A-Z]{3})\b|([€£])/g);
  const [only, ...further] = named;
  if (only !== undefined && further.length === 0) return only;
  const beside = /\b([A-Z]{3})\s?(?=[-−(]?\d)|(?<=\d\)?\s?)([A-Z]{3})\b|([€£])/g;
  const inWords =
    /\b(?:in|amounts?|total|betrag|betr[aä]ge|summe|preis|price|gesamt|gesamtbetrag)\s+\(?([A-Z]{3})\b|\(([A-Z]{3})\)/gi;
  const amounts = [...table.sums.map(({ row }) => textOfRow(row)), ...table.lines.map(({ amount }) => amount)];
  const found = [
    ...amounts.flatMap((text) => codesIn(text, beside)),
    ...[table.header, ...table.sums.map(({ row }) => row)].flatMap((row) => codesIn(textOfRow(row), inWords)),
  ];
  const codes = new Set(found.length > 0 ? found : rows.flatMap((row) => codesIn(textOfRow(row), inWords)));
  const [code, ...others] = codes;
  if (code !== undefined && others.length === 0) return code;
  if (code === undefined)
    throw new ReadFault('No currency was found. Write its ISO 4217 code beside the total, like EUR.');
  throw new ReadFault(`More than one currency was found (${[...codes].slice(0, 5).join(', ')}). An invoice has one.`);
}

function codesIn(text: string, pattern: RegExp): readonly string[] {
  const found = [...text.matchAll(pattern)].map((match) => match.slice(1).join(''));
  const codes = found.map((code) => SIGNS[code] ?? code);
  return [...new Set(codes)].filter((code) => /^[A-Z]{3}$/.test(code) && minorUnitsOf(code) !== undefined);
}

function sumsOf({ sums }: PrintedTable): Pick<PrintedInvoice, 'net' | 'taxes' | 'total'> {
  const of = (wanted: string): string[] => sums.filter(({ sum }) => sum === wanted).map(({ amount }) => amount);
  const [[net], taxes, totals] = [of('net'), of('tax'), of('total')];
  // Where only the net sum stands, that is what is to be paid.
  const total = totals.at(-1) ?? (taxes.length === 0 ? net : undefined);
  if (total === undefined || !isNumber(total)) {
    throw new ReadFault('No total was found. It must stand behind a label such as "Total" below the lines.');
  }
  return { ...(net === undefined ? {} : { net }), taxes, total };
}
