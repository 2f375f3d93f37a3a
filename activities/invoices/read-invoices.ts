/**
 * Reads invoices from a PDF, a CSV or a ZIP of both. Whatever comes: what can be read is read, and what cannot is a fault
 * that names the file, and nothing is lost between the two.
 */
import type { InvoiceFault, ReadInvoice, ReadInvoices } from './invoice.ts';
import { readCsvInvoices } from './csv-invoices.ts';
import { readPdfInvoice } from './pdf-invoice.ts';
import { PdfReader, type PdfReaderOptions } from './pdf-reader.ts';
import { ReadFault } from './read-fault.ts';
import { Turns } from './turns.ts';
import { entriesOf } from './zip-entries.ts';

export interface ReadOptions extends PdfReaderOptions {
  /** Told of each file of a ZIP that was read, for heartbeats and progress. */
  readonly onFile?: (name: string) => void;
  /** Ends it between two files. */
  readonly signal?: AbortSignal;
}

export const MAX_INVOICES = 2_000;
export const MAX_FAULTS = 1_000;
/** Each PDF process takes some 150 MiB. */
const READING_AT_ONCE = 2;
const turns = new Turns(READING_AT_ONCE);
const PDF_WITHIN = 1_024;

/** `name`: of the file, for sources and faults; what it is, its bytes say. Never throws for what is in the file. */
export function readInvoices(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<ReadInvoices> {
  return turns.take(async () => {
    const pdfs = new PdfReader(options);
    try {
      return await new InvoiceFiles(pdfs, options).read(Buffer.from(bytes), name);
    } finally {
      pdfs.close();
    }
  });
}

class InvoiceFiles {
  readonly #invoices: ReadInvoice[] = [];
  readonly #faults: InvoiceFault[] = [];
  readonly #pdfs: PdfReader;
  readonly #options: ReadOptions;

  constructor(pdfs: PdfReader, options: ReadOptions) {
    this.#pdfs = pdfs;
    this.#options = options;
  }

  async read(bytes: Buffer, name: string): Promise<ReadInvoices> {
    await this.#attempt(name, () => (isZip(bytes) ? this.#readZip(bytes, name) : this.#readFile(bytes, name)));
    return { invoices: this.#invoices, faults: firstOf(this.#faults, name) };
  }

  async #readZip(bytes: Buffer, name: string): Promise<void> {
    let count = 0;
    for await (const entry of entriesOf(bytes)) {
      this.#options.signal?.throwIfAborted();
      const file = `${name}/${entry.name}`;
      await this.#attempt(file, async () => {
        if ('fault' in entry) throw entry.fault;
        if (isZip(entry.bytes)) throw new ReadFault('A ZIP inside a ZIP is not opened. Send it by itself.');
        await this.#readFile(entry.bytes, file);
      });
      count += 1;
      this.#options.onFile?.(file);
    }
    if (count === 0) throw new ReadFault('The ZIP holds no files.');
  }

  async #readFile(bytes: Buffer, file: string): Promise<void> {
    if (bytes.length === 0) throw new ReadFault('The file is empty.');
    if (bytes.subarray(0, PDF_WITHIN).includes('%PDF-')) {
      this.#keep({ invoices: [readPdfInvoice(await this.#pdfs.read(bytes), file)], faults: [] });
    } else {
      this.#keep(readCsvInvoices(textOf(bytes), file));
    }
  }

  #keep({ invoices, faults }: ReadInvoices): void {
    if (this.#invoices.length + invoices.length > MAX_INVOICES) {
      throw new ReadFault(`More than ${String(MAX_INVOICES)} invoices came at once. Send them in parts.`);
    }
    this.#invoices.push(...invoices);
    this.#faults.push(...faults);
  }

  async #attempt(file: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof ReadFault)) throw error;
      this.#faults.push({ file, message: error.message });
    }
  }
}

/** Who sent thousands of broken lines mends them by what the first of them say. */
function firstOf(faults: readonly InvoiceFault[], file: string): readonly InvoiceFault[] {
  const moreCount = faults.length - MAX_FAULTS;
  if (moreCount <= 0) return faults;
  const message = `${String(moreCount)} more faults were found. Mend these first.`;
  return [...faults.slice(0, MAX_FAULTS), { file, message }];
}

function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString('latin1') === 'PK' && (bytes[2] === 3 || bytes[2] === 5);
}

/** @throws ReadFault */
function textOf(bytes: Buffer): string {
  const text = bytes.includes(0) ? undefined : decoded(bytes);
  if (text === undefined) {
    throw new ReadFault('The file is neither a PDF nor a CSV in UTF-8. Save a CSV as UTF-8 and send it again.');
  }
  return text;
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
