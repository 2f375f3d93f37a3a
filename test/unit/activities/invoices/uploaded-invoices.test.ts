import { describe, expect, it } from '@jest/globals';
import type { ReadInvoice } from '../../../../activities/invoices/invoice.ts';
import {
  MAX_INVOICES,
  MAX_LINES,
  readUploaded,
  type InvoiceSources,
} from '../../../../activities/invoices/uploaded-invoices.ts';
import { anInvoice, anInvoiceLine } from '../../../support/an-invoice.ts';

/** A caller's files, by id, with what is read of each. */
function sourcesOf(files: Readonly<Record<string, readonly ReadInvoice[]>>): InvoiceSources & { count: () => number } {
  let readCount = 0;
  return {
    count: () => readCount,
    uploads: {
      read: async (_, fileId) =>
        files[fileId] === undefined ? undefined : { upload: { name: fileId }, bytes: Buffer.from('') },
    },
    readInvoices: async (_, name) => {
      readCount += 1;
      return { invoices: [...files[name]!], faults: [] };
    },
  };
}

const invoices = (count: number): ReadInvoice[] => Array.from({ length: count }, () => anInvoice());
const ofLines = (count: number): ReadInvoice => anInvoice({ lines: Array.from({ length: count }, anInvoiceLine) });

describe('readUploaded', () => {
  it('takes as many invoices and lines as one call may have, over all of its files', async () => {
    const halves = { a: invoices(MAX_INVOICES - 1), b: [ofLines(MAX_LINES - MAX_INVOICES + 1)] };
    const { read } = await readUploaded(sourcesOf(halves), 'p', ['a', 'b']);
    expect([read.length, read.flatMap(({ lines }) => lines).length]).toEqual([MAX_INVOICES, MAX_LINES]);
  });

  it.each<[string, readonly ReadInvoice[]]>([
    ['invoices', invoices(2)],
    ['lines', [ofLines(MAX_LINES - MAX_INVOICES + 2)]],
  ])('refuses one more of %s, before the next file is read', async (_, second) => {
    const sources = sourcesOf({ a: invoices(MAX_INVOICES - 1), b: second, c: invoices(1) });
    await expect(readUploaded(sources, 'p', ['a', 'b', 'c'])).rejects.toThrow(
      'files: hold more than 500 invoices or 5000 lines. Nothing was posted; call with fewer files.',
    );
    expect(sources.count()).toBe(2);
  });

  it('reads a file once that is named twice', async () => {
    const { read } = await readUploaded(sourcesOf({ a: invoices(1) }), 'p', ['a', 'a']);
    expect(read).toHaveLength(1);
  });
});
