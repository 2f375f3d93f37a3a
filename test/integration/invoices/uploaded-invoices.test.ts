/** What is read of uploads, and what is said of it when it is too much. */
import { describe, expect, it } from '@jest/globals';
import { readInvoices } from '../../../activities/invoices/read-invoices.ts';
import { readUploaded } from '../../../activities/invoices/uploaded-invoices.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { Uploads } from '../../../store/uploads.ts';
import { anInvoiceLine, anInvoiceOf } from '../../support/an-invoice.ts';
import { invoiceCsv } from '../../support/invoice-csv.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CALLER = 'c'.repeat(32);

async function read(...texts: readonly string[]): ReturnType<typeof readUploaded> {
  const uploads = new Uploads(new FolderBlobStore(await temporaryFolder()), 60_000);
  const files: string[] = [];
  for (const [index, text] of texts.entries()) {
    const file = { name: `file-${index + 1}.csv`, mimeType: 'text/csv', bytes: Buffer.from(text) } as const;
    files.push((await uploads.put(CALLER, file)).fileId);
  }
  return readUploaded({ uploads, readInvoices }, CALLER, files);
}

function csvOf(counts: readonly number[], prefix = 'RE'): string {
  const line = anInvoiceLine({ quantity: '1', unitPrice: '1.00', amount: '1.00' });
  return invoiceCsv(
    counts.map((count, index) =>
      anInvoiceOf(
        Array.from({ length: count }, () => line),
        { number: `${prefix}-${index}` },
      ),
    ),
  );
}

const thousands = (count: number): number[] => Array.from({ length: count }, () => 1_000);

describe('readUploaded', () => {
  it('takes 5,000 lines, and of one more says where it is too much', async () => {
    expect((await read(csvOf(thousands(5)))).invoices).toHaveLength(5);
    await expect(read(csvOf([...thousands(5), 1]))).rejects.toThrow(
      'files: file-1.csv holds 6 invoices with 5001 lines; a call takes 500 invoices with 5000 lines at most. ' +
        'Nothing was posted. Split it, upload the parts, and call once for each.',
    );
    await expect(read(csvOf(thousands(5)), csvOf([1], 'B'))).rejects.toThrow(
      /^files: with file-2\.csv there are 6 invoices with 5001 lines; .* Call again with fewer files\.$/,
    );
  });

  it('says of a file with more than can be read at all that it has to come in parts', async () => {
    await expect(read(csvOf(Array.from({ length: 2_001 }, () => 1)))).rejects.toThrow(
      'file-1.csv: More than 2000 invoices came at once. Send them in parts.',
    );
  });

  it('lists 500 faults, the last of which says how many are behind it', async () => {
    const broken = csvOf(Array.from({ length: 600 }, () => 1)).replaceAll(',1.00\n', ',one\n');
    const { invoices, faults } = await read(csvOf([1], 'Whole'), broken);
    expect([invoices.length, faults.length]).toEqual([1, 500]);
    expect(faults.at(-1)).toEqual({
      file: 'file-2.csv',
      message: '101 more could not be read, in this file and after it. Mend these first.',
    });
  });

  it('reads a file once that is named twice', async () => {
    const uploads = new Uploads(new FolderBlobStore(await temporaryFolder()), 60_000);
    const file = { name: 'one.csv', mimeType: 'text/csv', bytes: Buffer.from(csvOf([1])) } as const;
    const { fileId } = await uploads.put(CALLER, file);
    const { invoices, taken } = await readUploaded({ uploads, readInvoices }, CALLER, [fileId, fileId]);
    expect([invoices.length, taken.length]).toEqual([1, 1]);
  });
});
