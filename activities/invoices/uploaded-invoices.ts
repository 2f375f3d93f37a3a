/** The invoices in the files that a caller has uploaded: all that can be read, and what cannot. */
import { ApplicationFailure } from '@temporalio/activity';
import { oneLine } from '../../protocol/one-line.ts';
import type { TakenFile } from '../../protocol/act.ts';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';
import type { InvoiceFault, ReadInvoice, ReadInvoices } from './invoice.ts';
import type { ReadOptions } from './read-invoices.ts';

/** Where uploads are, and how they are read. */
export interface InvoiceSources {
  readonly uploads: {
    /** `undefined`: the caller has no such file. */
    read(caller: string, fileId: string): Promise<{ upload: TakenFile; bytes: Uint8Array } | undefined>;
  };
  readonly readInvoices: (bytes: Uint8Array, name: string, options: ReadOptions) => Promise<ReadInvoices>;
}

export const MAX_INVOICES = 500;
export const MAX_LINES = 5_000;
const MAX_FAULTS = 500;
const MAX_FAULTS_TOLD = 10;

export interface ReadUploads extends ReadInvoices {
  /** What it was read from. */
  readonly taken: readonly TakenFile[];
}

/** @throws ToolFailure */
export async function readUploaded(
  { uploads, readInvoices }: InvoiceSources,
  caller: string,
  files: readonly string[],
  options: ReadOptions = {},
): Promise<ReadUploads> {
  const taken: TakenFile[] = [];
  const read: ReadInvoice[] = [];
  const faults: InvoiceFault[] = [];
  for (const fileId of new Set(files)) {
    const found = await uploads.read(caller, fileId);
    if (found === undefined) {
      throw failure(
        `files: there is no file ${oneLine(fileId, 60)} of yours. Upload it by POST /files, and pass its fileId.`,
      );
    }
    const result = await readInvoices(found.bytes, found.upload.name, { ...options, owner: caller });
    const { name, bytes, sha256 } = found.upload;
    taken.push({ fileId, name, bytes, sha256 });
    read.push(...result.invoices);
    faults.push(...result.faults);
    refuseTooMany(read, { name, invoices: result.invoices });
  }
  if (read.length === 0) throw failure(`No invoice could be read; nothing was posted.\n${faultTexts(faults)}`);
  return { taken, invoices: read, faults: firstOf(faults) };
}

interface FileRead {
  readonly name: string;
  readonly invoices: readonly ReadInvoice[];
}

function refuseTooMany(read: readonly ReadInvoice[], { name, invoices }: FileRead): void {
  if (isWithin(read)) return;
  const file = oneLine(name, 80);
  const [what, how] = isWithin(invoices)
    ? [`with ${file} there are ${countsOf(read)}`, 'Call again with fewer files.']
    : [`${file} holds ${countsOf(invoices)}`, 'Split it, upload the parts, and call once for each.'];
  const limits = `a call takes ${MAX_INVOICES} invoices with ${MAX_LINES} lines at most`;
  throw failure(`files: ${what}; ${limits}. Nothing was posted. ${how}`);
}

function isWithin(invoices: readonly ReadInvoice[]): boolean {
  return invoices.length <= MAX_INVOICES && lineCountOf(invoices) <= MAX_LINES;
}

function countsOf(invoices: readonly ReadInvoice[]): string {
  return `${invoices.length} invoices with ${lineCountOf(invoices)} lines`;
}

function lineCountOf(invoices: readonly ReadInvoice[]): number {
  return invoices.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** What a report can carry. The last one says how many are not in it. */
function firstOf(faults: readonly InvoiceFault[]): readonly InvoiceFault[] {
  const kept = faults.slice(0, MAX_FAULTS - 1);
  const [next] = faults.slice(MAX_FAULTS - 1);
  const moreCount = faults.length - kept.length;
  if (next === undefined || moreCount === 1) return faults;
  const message = `${moreCount} more could not be read, in this file and after it. Mend these first.`;
  return [...kept, { file: next.file, message }];
}

function faultTexts(faults: readonly InvoiceFault[]): string {
  const told = faults.slice(0, MAX_FAULTS_TOLD).map(({ file, row, message }) => {
    const place = row === undefined ? file : `${file}, line ${row}`;
    return `${oneLine(place, 120)}: ${oneLine(message, 300)}`;
  });
  const more = faults.length - told.length;
  return [...told, ...(more === 0 ? [] : [`… and ${more} more`])].join('\n');
}

function failure(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, TOOL_FAILURE);
}
