/** The invoices in the files that a caller has uploaded: all that can be read, and what cannot. */
import { ApplicationFailure } from '@temporalio/activity';
import { oneLine } from '../../protocol/one-line.ts';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';
import type { InvoiceFault, ReadInvoice, ReadInvoices } from './invoice.ts';
import type { ReadOptions } from './read-invoices.ts';

/** Where uploads are, and how they are read. */
export interface InvoiceSources {
  readonly uploads: {
    /** `undefined`: the caller has no such file. */
    read(caller: string, fileId: string): Promise<{ upload: { name: string }; bytes: Uint8Array } | undefined>;
  };
  readonly readInvoices: (bytes: Uint8Array, name: string, options: ReadOptions) => Promise<ReadInvoices>;
}

export const MAX_INVOICES = 500;
export const MAX_LINES = 5_000;
const MAX_FAULTS = 500;
const MAX_FAULTS_TOLD = 10;

/** @throws ToolFailure */
export async function readUploaded(
  { uploads, readInvoices }: InvoiceSources,
  caller: string,
  files: readonly string[],
  options: ReadOptions = {},
): Promise<{ read: readonly ReadInvoice[]; faults: readonly InvoiceFault[] }> {
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
    read.push(...result.invoices);
    faults.push(...result.faults.slice(0, MAX_FAULTS - faults.length));
    refuseTooMany(read);
  }
  if (read.length === 0) throw failure(`No invoice could be read; nothing was posted.\n${faultTexts(faults)}`);
  return { read, faults };
}

function refuseTooMany(read: readonly ReadInvoice[]): void {
  const lines = read.reduce((sum, invoice) => sum + invoice.lines.length, 0);
  if (read.length <= MAX_INVOICES && lines <= MAX_LINES) return;
  throw failure(
    `files: hold more than ${MAX_INVOICES} invoices or ${MAX_LINES} lines. Nothing was posted; call with fewer files.`,
  );
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
