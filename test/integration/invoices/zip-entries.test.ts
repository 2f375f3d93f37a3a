import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import type { ReadInvoices } from '../../../activities/invoices/invoice.ts';
import { readInvoices } from '../../../activities/invoices/read-invoices.ts';
import { ZIP_LIMITS } from '../../../activities/invoices/zip-entries.ts';
import { zipOf, type ZippedFile } from '../../../demo/invoices/zip.ts';
import { heldBytes } from '../../support/held-bytes.ts';

const MEBIBYTE = 1024 * 1024;
const GOOD = Buffer.from(
  'invoice_number,vendor,currency,description,quantity,unit_price,amount,total\nA-1,Acme,EUR,Screws,2,1.50,3.00,3.00\n',
);
const good = (name = 'good.csv'): ZippedFile => ({ name, bytes: GOOD });

const read = (zip: Uint8Array): Promise<ReadInvoices> => readInvoices(zip, 'all.zip');

/** Changes the headers of the first entry, in its place and in the directory. */
function patched(zip: Buffer, patch: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(zip);
  patch(copy.subarray(4));
  patch(copy.subarray(copy.indexOf('PK\u0001\u0002') + 6));
  return copy;
}

/** A ZIP of a single entry, whose directory names it so many times, each of this size. */
function oneEntryAs(count: number, zip: Buffer, size: number): Buffer {
  const [start, end] = [zip.indexOf('PK\u0001\u0002'), zip.indexOf('PK\u0005\u0006')];
  const names = Array.from({ length: count }, (_, index) => {
    const entry = Buffer.from(zip.subarray(start, end));
    entry.writeUInt32LE(size, 24);
    entry.write(String(index).padStart(2, '0'), 46);
    return entry;
  });
  const last = Buffer.from(zip.subarray(end));
  last.writeUInt16LE(count, 8);
  last.writeUInt16LE(count, 10);
  last.writeUInt32LE(Buffer.concat(names).length, 12);
  return Buffer.concat([zip.subarray(0, start), ...names, last]);
}

describe('a ZIP of invoices', () => {
  it('is read entry by entry; folders and what systems leave behind are none', async () => {
    const files = [
      good('in/a.csv'),
      { name: 'in/', bytes: Buffer.alloc(0) },
      { name: '__MACOSX/._a.csv', bytes: Buffer.from('x') },
      { name: 'in/.DS_Store', bytes: Buffer.from('x') },
    ];
    const { invoices, faults } = await read(zipOf(files));
    expect([invoices.map(({ source }) => source.file), faults]).toEqual([['all.zip/in/a.csv'], []]);
  });

  it.each([
    ['a way out', { name: '../../etc/a.csv', bytes: GOOD }, /leads out of the ZIP/],
    ['an absolute name', { name: '/etc/a.csv', bytes: GOOD }, /leads out of the ZIP/],
    ['a drive', { name: 'C:/a.csv', bytes: GOOD }, /leads out of the ZIP/],
    ['a control character', { name: 'a\u0000.csv', bytes: GOOD }, /leads out of the ZIP/],
    ['a ZIP in it', { name: 'inner.zip', bytes: zipOf([good()]) }, /ZIP inside a ZIP is not opened/],
    ['something else', { name: 'photo.jpg', bytes: Buffer.from([255, 216, 0]) }, /neither a PDF nor a CSV/],
    ['nothing', { name: 'empty.csv', bytes: Buffer.alloc(0) }, /The file is empty/],
    ['a broken PDF', { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7 nothing') }, /The PDF is damaged/],
    ['a bomb', { name: 'bomb.csv', bytes: Buffer.alloc(10 * MEBIBYTE, 'a') }, /unpacks to far more/],
    ['a giant', { name: 'giant.csv', bytes: Buffer.alloc(21 * MEBIBYTE, 'a') }, /larger than 20971520 bytes/],
    ['a name twice', good(), /holds this name twice/],
  ])('has a fault for an entry with %s, and the others are read', async (_, file, message) => {
    const { invoices, faults } = await read(zipOf([good(), file, good('last.csv')]));
    expect(invoices.map(({ source }) => source.file)).toEqual(['all.zip/good.csv', 'all.zip/last.csv']);
    expect(faults).toEqual([
      { file: expect.stringMatching(/^all\.zip\/[^\u0000]*$/), message: expect.stringMatching(message) },
    ]);
  });

  it.each([
    ['an encrypted one', (header: Buffer) => header.writeUInt16LE(header.readUInt16LE(2) | 1, 2), /is encrypted/],
    ['one that is longer than it says', (header: Buffer) => header.writeUInt32LE(10, 18), /is damaged/],
    ['one that is shorter than it says', (header: Buffer) => header.writeUInt32LE(500, 18), /is damaged/],
    ['one packed in another way', (header: Buffer) => header.writeUInt16LE(99, 4), /is damaged/],
  ])('has a fault for %s', async (_, patch, message) => {
    const { invoices, faults } = await read(patched(zipOf([good('a.csv'), good('b.csv')]), patch));
    expect(invoices.map(({ source }) => source.file)).toEqual(['all.zip/b.csv']);
    expect(faults).toEqual([{ file: 'all.zip/a.csv', message: expect.stringMatching(message) }]);
  });

  it('is refused with too many entries, before one of them is read', async () => {
    const names = Array.from({ length: ZIP_LIMITS.entries + 1 }, (_, index) => good(`${String(index)}.csv`));
    const { invoices, faults } = await read(zipOf(names));
    expect([invoices, faults[0]?.message]).toEqual([[], expect.stringMatching(/more than 1000 entries/)]);
  });

  it('ends where all of it together is too large', async () => {
    // Not so empty that each by itself would be a bomb.
    const bytes = Buffer.alloc(18 * MEBIBYTE, ' ');
    for (let at = 0; at < bytes.length; at += 512) bytes.writeUInt32LE(crc32(Buffer.from(String(at))) & 0x7e7e7e7e, at);
    const files = Array.from({ length: 13 }, (_, index) => ({ name: `${String(index)}.csv`, bytes }));
    const { faults } = await read(zipOf(files));
    expect(faults.at(-1)).toEqual({ file: 'all.zip', message: expect.stringMatching(/unpacks to more than/) });
  }, 60_000);

  it('ends there too where entries lie over each other, and none of them is what it says', async () => {
    const bytes = Buffer.alloc(8 * MEBIBYTE, ' ');
    for (let at = 0; at < bytes.length; at += 512) bytes.writeUInt32LE(crc32(Buffer.from(String(at))) & 0x7e7e7e7e, at);
    const { faults } = await read(oneEntryAs(30, zipOf([{ name: '00.csv', bytes }]), bytes.length - 1));
    expect(faults.at(-1)).toEqual({ file: 'all.zip', message: expect.stringMatching(/unpacks to more than/) });
  });

  it('holds no more faults than it tells, while it is read', async () => {
    const lines = Buffer.from(`${GOOD.toString().split('\n')[0] ?? ''}\n${',,,,,,,\n'.repeat(50_000)}`);
    const files = Array.from({ length: 4 }, (_, index) => ({ name: `${String(index)}.csv`, bytes: lines }));
    const zip = zipOf(files);
    const before = heldBytes();
    let held = 0;
    const onFile = (name: string): void => void (held = name.endsWith('3.csv') ? heldBytes() - before : 0);
    const { faults } = await readInvoices(zip, 'all.zip', { onFile });
    expect(held).toBeLessThan(6 * MEBIBYTE);
    expect(faults.at(-1)).toEqual({ file: 'all.zip', message: '199000 more faults were found. Mend these first.' });
  }, 60_000);

  it.each([
    ['nothing but its first bytes', Buffer.from('PK\u0003\u0004')],
    ['one cut off', zipOf([good()]).subarray(0, -10)],
  ])('is refused as damaged: %s', async (_, zip) => {
    const { invoices, faults } = await read(zip);
    expect([invoices, faults]).toEqual([[], [{ file: 'all.zip', message: expect.stringMatching(/ZIP is damaged/) }]]);
  });

  it('without files says so', async () => {
    const { faults } = await read(zipOf([]));
    expect(faults).toEqual([{ file: 'all.zip', message: 'The ZIP holds no files.' }]);
  });

  it('ends between two files when it takes too long, and says so', async () => {
    const { invoices, faults } = await readInvoices(zipOf([good('a.csv'), good('b.csv')]), 'all.zip', { withinMs: -1 });
    expect([invoices, faults]).toEqual([[], [{ file: 'all.zip', message: expect.stringMatching(/takes too long/) }]]);
  });

  it('ends between two files when it is told to', async () => {
    const stop = new AbortController();
    const reading = readInvoices(zipOf([good('a.csv'), good('b.csv')]), 'all.zip', {
      signal: stop.signal,
      onFile: () => stop.abort(new Error('enough')),
    });
    await expect(reading).rejects.toThrow('enough');
  });
});
