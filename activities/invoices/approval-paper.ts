/**
 * What stands before the eyes of whoever approves invoices that differ. An approval holds 16 KB: what does not fit stands in a
 * PDF, whose digest is shown, so that a decision is bound to it as well.
 */
import Big from 'big.js';
import { oneLine } from '../../protocol/one-line.ts';
import type { BlobStore, FileOwner, StoredFile } from '../../store/blobs.ts';
import { sheetPdf, type SheetColumn } from '../pdf-sheet.ts';
import { boundedTexts, findingTexts, nameOfInvoice } from './exception-texts.ts';
import { fixed } from './match-lines.ts';
import type { MatchedInvoice } from './match-result.ts';
import { atStakeIn } from './routing.ts';

export interface ApprovalPaper {
  readonly title: string;
  readonly amount: string;
  readonly details: Readonly<Record<string, string>>;
  /** Absent: all of it stands in the details. */
  readonly file?: StoredFile;
}

const MAX_DETAILS_CHARS = 12_000;
const ROOM_FOR_REST = 300;
const MAX_FINDINGS_CHARS = 1_500;
/** Less than a page of them. */
const FINDINGS_A_ROW = 10;
const COLUMNS: readonly SheetColumn[] = [
  { heading: 'Invoice', width: 80 },
  { heading: 'Vendor', width: 105 },
  { heading: 'Order', width: 70 },
  { heading: 'What differs', width: 240 },
];

interface Wanted {
  readonly owner: FileOwner;
  readonly invoices: readonly MatchedInvoice[];
  readonly policyVersion: string;
  /** ISO 8601. */
  readonly datedAt: string;
  /** Of the file, if there has to be one. */
  readonly name: string;
}

export async function approvalPaper(blobs: BlobStore, wanted: Wanted): Promise<ApprovalPaper> {
  const { invoices, policyVersion } = wanted;
  const title =
    invoices.length === 1
      ? 'An invoice that differs from order or receipt'
      : `${invoices.length} invoices that differ from order or receipt`;
  const amount = amountsOf(invoices);
  const head = {
    'What happens': 'All of these invoices are posted to the ERP as they are, once each.',
    'At stake': amount,
    'Invoice policy': policyVersion,
  };
  const shown: Record<string, string> = {};
  let room = MAX_DETAILS_CHARS - ROOM_FOR_REST - JSON.stringify(head).length;
  let isWhole = true;
  for (const invoice of invoices) {
    const texts = findingTexts(invoice);
    const text = boundedTexts(texts, MAX_FINDINGS_CHARS);
    const entry = { [`Invoice ${invoice.index}`]: `${nameOfInvoice(invoice)}, order ${orderOf(invoice)}\n${text}` };
    room -= JSON.stringify(entry).length;
    if (room < 0 || text !== texts.join('\n')) isWhole = false;
    if (room < 0) break;
    Object.assign(shown, entry);
  }
  if (isWhole) return { title, amount, details: { ...head, ...shown } };
  const file = await writePaper(blobs, wanted, title);
  const rest = `All ${invoices.length} with all that differs are in ${file.name} (SHA-256 ${file.ref.sha256})`;
  return { title, amount, details: { ...head, 'The whole list': rest, ...shown }, file };
}

async function writePaper(blobs: BlobStore, wanted: Wanted, title: string): Promise<StoredFile> {
  const { owner, invoices, policyVersion, datedAt, name } = wanted;
  const rows = invoices.flatMap(rowsOf);
  const bytes = await sheetPdf({
    title,
    datedAt,
    facts: [
      ['Date', datedAt.slice(0, 10)],
      ['Invoice policy', policyVersion],
      ['At stake', amountsOf(invoices)],
      ['Status', 'Asked for; none of them is posted'],
    ],
    tables: [{ columns: COLUMNS, rows }],
  });
  return blobs.put(owner, { name, mimeType: 'application/pdf', bytes });
}

function rowsOf(invoice: MatchedInvoice): string[][] {
  const texts = findingTexts(invoice);
  const number = oneLine(invoice.number, 40);
  const head = [`${number}\n${invoice.total} ${invoice.currency}`, oneLine(invoice.vendor, 60), orderOf(invoice)];
  // On whichever page a row stands, it says of which invoice it is.
  const rest = [number, '', ''];
  const parts = Array.from({ length: Math.ceil(texts.length / FINDINGS_A_ROW) }, (_, index) =>
    texts.slice(index * FINDINGS_A_ROW, (index + 1) * FINDINGS_A_ROW).join('\n'),
  );
  return parts.map((part, index) => [...(index === 0 ? head : rest), part]);
}

function orderOf({ order }: MatchedInvoice): string {
  return oneLine(order ?? 'none', 40);
}

/** `12.00 EUR, 3 JPY`: what is at stake, never added over currencies. */
function amountsOf(invoices: readonly MatchedInvoice[]): string {
  const sums = new Map<string, Big>();
  for (const invoice of invoices) {
    sums.set(invoice.currency, (sums.get(invoice.currency) ?? new Big(0)).plus(atStakeIn(invoice)));
  }
  return oneLine([...sums].map(([currency, sum]) => `${fixed(sum, currency)} ${currency}`).join(', '), 100);
}
