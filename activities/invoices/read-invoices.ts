/**
 * Reads invoices from a PDF, a CSV or a ZIP of both. Whatever comes: what can be read is read, and what cannot is a fault
 * that names the file, and nothing is lost between the two.
 */
import { oneLine } from '../../protocol/one-line.ts';
import type { InvoiceFault, ReadInvoice, ReadInvoices } from './invoice.ts';
import { readCsvInvoices } from './csv-invoices.ts';
import { readPdfInvoice } from './pdf-invoice.ts';
import { PdfReader, type PdfReaderOptions } from './pdf-reader.ts';
import { ReadFault } from './read-fault.ts';
import { Turns } from './turns.ts';
import { entriesOf } from './zip-entries.ts';

const MAX_MESSAGE_CHARS = 400;

export interface ReadOptions extends PdfReaderOptions {
  /** Told of each file of a ZIP that was read, for heartbeats and progress. */
  readonly onFile?: (name: string) => void;
  /** Ends it between two files. */
  readonly signal?: AbortSignal;
  /** Whose file it is: one of theirs is read at a time. */
  readonly owner?: string;
  /** For one upload, between two files of a ZIP. */
  readonly withinMs?: number;
}

export const MAX_INVOICES = 2_000;
export const MAX_FAULTS = 1_000;
/** Each PDF process takes some 150 MiB. */
const READING_AT_ONCE = 2;
/** Whoever sends what takes long waits for it themselves. */
const OF_AN_OWNER_AT_ONCE = 1;
const turns = new Turns(READING_AT_ONCE, OF_AN_OWNER_AT_ONCE);
/** A thousand ordinary PDFs take two at most. */
const WITHIN_MS = 5 * 60_000;
const PDF_WITHIN = 1_024;

/** `name`: of the file, for sources and faults; what it is, its bytes say. Never throws for what is in the file. */
export function readInvoices(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<ReadInvoices> {
  return turns.take(options.owner ?? '', async () => {
    const pdfs = new PdfReader(options);
    try {
      return await new InvoiceFiles(pdfs, options).read(Buffer.from(bytes), name);
    } finally {
      pdfs.close();
    }
  });
}

const TOO_LONG_TEXT = 'The ZIP takes too long to read, and the rest of it was not. Send that by itself.';

class InvoiceFiles {
  readonly #invoices: ReadInvoice[] = [];
  readonly #faults = new BoundedFaults();
  readonly #pdfs: PdfReader;
  readonly #options: ReadOptions;

  constructor(pdfs: PdfReader, options: ReadOptions) {
    this.#pdfs = pdfs;
    this.#options = options;
  }

  async read(bytes: Buffer, name: string): Promise<ReadInvoices> {
    await this.#attempt(name, () => (isZip(bytes) ? this.#readZip(bytes, name) : this.#readFile(bytes, name)));
    return { invoices: this.#invoices, faults: this.#faults.told(name) };
  }

  async #readZip(bytes: Buffer, name: string): Promise<void> {
    let count = 0;
    const { signal, withinMs = WITHIN_MS } = this.#options;
    const endsAt = performance.now() + withinMs;
    for await (const entry of entriesOf(bytes)) {
      signal?.throwIfAborted();
      if (performance.now() > endsAt) throw new ReadFault(TOO_LONG_TEXT);
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
      this.#keep(await readCsvInvoices(textOf(bytes), file));
    }
  }

  #keep({ invoices, faults }: ReadInvoices): void {
    if (this.#invoices.length + invoices.length > MAX_INVOICES) {
      throw new ReadFault(`More than ${String(MAX_INVOICES)} invoices came at once. Send them in parts.`);
    }
    this.#invoices.push(...invoices);
    this.#faults.add(faults);
  }

  async #attempt(file: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof ReadFault)) throw error;
      this.#faults.add([{ file, message: error.message }]);
    }
  }
}

/** Who sent thousands of broken lines mends them by what the first of them say: of the others only the number is kept. */
class BoundedFaults {
  readonly #first: InvoiceFault[] = [];
  #moreCount = 0;

  add(faults: readonly InvoiceFault[]): void {
    const kept = faults.slice(0, MAX_FAULTS - this.#first.length);
    // Words of a file stand in them, line breaks and all.
    this.#first.push(...kept.map((fault) => ({ ...fault, message: oneLine(fault.message, MAX_MESSAGE_CHARS) })));
    this.#moreCount += faults.length - kept.length;
  }

  told(file: string): readonly InvoiceFault[] {
    if (this.#moreCount === 0) return this.#first;
    const message = `${String(this.#moreCount)} more faults were found. Mend these first.`;
    return [...this.#first, { file, message }];
  }
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
