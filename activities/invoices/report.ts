/** The report of a call: a CSV with every line, and a PDF with every invoice and all that differs. */
import { csvLine } from '../../protocol/csv-cell.ts';
import { oneLine } from '../../protocol/one-line.ts';
import type { BlobStore, FileOwner, StoredFile } from '../../store/blobs.ts';
import { sheetPdf, type SheetColumn } from '../pdf-sheet.ts';
import { findingTexts } from './exception-texts.ts';
import type { MatchTable } from './match-table.ts';
import { findingsOf, statusesOf, type MatchedInvoice, type MatchedLine } from './match-result.ts';
import type { InvoiceOutcome } from './outcome.ts';

interface Report {
  readonly table: MatchTable;
  readonly outcomes: readonly InvoiceOutcome[];
  /** ISO 8601. */
  readonly datedAt: string;
}

const HEADER = [
  'file,row,invoice,vendor,issued_on,order,currency,total,line,order_line,sku,description,quantity,unit_price,amount',
  'ordered,received,invoiced_before,order_price,status,differences,outcome,erp_number,note',
].flatMap((names) => names.split(','));
const INVOICES: readonly SheetColumn[] = [
  { heading: 'Invoice', width: 85 },
  { heading: 'Vendor', width: 115 },
  { heading: 'Order', width: 65 },
  { heading: 'Total', width: 85, align: 'right' },
  { heading: 'Outcome', width: 145 },
];
const DIFFERENCES: readonly SheetColumn[] = [
  { heading: 'Invoice', width: 85 },
  { heading: 'What differs', width: 410 },
];
const FAULTS: readonly SheetColumn[] = [
  { heading: 'File', width: 150 },
  { heading: 'Why it could not be read', width: 345 },
];

export async function writeReport(
  blobs: BlobStore,
  owner: FileOwner,
  report: Report,
): Promise<{ csv: StoredFile; pdf: StoredFile }> {
  const csv = Buffer.from(`\ufeff${reportCsv(report)}`);
  const pdf = await reportPdf(report);
  return {
    csv: await blobs.put(owner, { name: 'reconciliation.csv', mimeType: 'text/csv', bytes: csv }),
    pdf: await blobs.put(owner, { name: 'reconciliation.pdf', mimeType: 'application/pdf', bytes: pdf }),
  };
}

export function reportCsv({ table, outcomes }: Report): string {
  const byIndex = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const rows = table.invoices.flatMap((invoice) => {
    const outcome = byIndex.get(invoice.index);
    return invoice.lines.map((line, index) => lineRow(invoice, line, index + 1, outcome));
  });
  const faults = table.faults.map(({ file, row, message }) =>
    HEADER.map((name) => ({ file, row: String(row ?? ''), status: 'unreadable', note: message })[name] ?? ''),
  );
  return [HEADER, ...rows, ...faults].map(csvLine).join('');
}

function lineRow(
  invoice: MatchedInvoice,
  line: MatchedLine,
  place: number,
  outcome: InvoiceOutcome | undefined,
): string[] {
  const { source, number, vendor, issuedOn = '', order = '', currency, total, findings } = invoice;
  const { orderLine, sku = '', description, quantity, unitPrice, amount, ordered = '', received = '' } = line;
  const differences = [...findings, ...line.findings].map(({ text }) => text).join('; ');
  return [
    [source.file, String(source.row ?? ''), number, vendor, issuedOn, order, currency, total],
    [String(place), String(orderLine ?? ''), sku, description, quantity, unitPrice, amount],
    [ordered, received, line.invoicedBefore ?? '', line.orderPrice ?? ''],
    [
      statusesOf(invoice, line).join(' '),
      differences,
      outcome?.kind ?? '',
      outcome?.erpNumber ?? '',
      outcome?.note ?? '',
    ],
  ].flat();
}

async function reportPdf({ table, outcomes, datedAt }: Report): Promise<Buffer> {
  const { invoices, faults, policyVersion } = table;
  const byIndex = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const differing = invoices.filter((invoice) => findingsOf(invoice).length > 0);
  const posted = outcomes.filter(({ kind }) => kind === 'posted').length;
  const nameOf = ({ index, number }: MatchedInvoice): string => `${index}. ${oneLine(number, 40)}`;
  return sheetPdf({
    title: 'Reconciliation of invoices',
    datedAt,
    facts: [
      ['Date', datedAt.slice(0, 10)],
      ['Invoice policy', policyVersion],
      ['Invoices', `${invoices.length}, of which ${posted} posted and ${invoices.length - posted} not`],
      ...(faults.length === 0 ? [] : [['Could not be read', String(faults.length)] as const]),
    ],
    tables: [
      {
        columns: INVOICES,
        rows: invoices.map((invoice) => [
          nameOf(invoice),
          oneLine(invoice.vendor, 60),
          oneLine(invoice.order ?? '', 40),
          `${invoice.total} ${invoice.currency}`,
          outcomeText(byIndex.get(invoice.index)),
        ]),
      },
      ...(differing.length === 0
        ? []
        : [
            {
              heading: 'What differs',
              columns: DIFFERENCES,
              rows: differing.flatMap((invoice) => findingTexts(invoice).map((text) => [nameOf(invoice), text])),
            },
          ]),
      ...(faults.length === 0
        ? []
        : [
            {
              heading: 'What could not be read',
              columns: FAULTS,
              rows: faults.map(({ file, row, message }) => [
                oneLine(`${file}${row === undefined ? '' : `, line ${row}`}`, 120),
                oneLine(message, 300),
              ]),
            },
          ]),
    ],
  });
}

function outcomeText(outcome: InvoiceOutcome | undefined): string {
  if (outcome === undefined) return '';
  const { kind, erpNumber, note } = outcome;
  return oneLine([kind, erpNumber, note].filter((part) => part !== undefined).join(': '), 200);
}
