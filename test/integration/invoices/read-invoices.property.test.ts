/** Whatever comes, reading it ends in invoices and faults, never in a crash; and half an invoice is none. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../../../protocol/csv-cell.ts';
import { readPdfInvoice } from '../../../activities/invoices/pdf-invoice.ts';
import { PdfReader } from '../../../activities/invoices/pdf-reader.ts';
import { ReadFault } from '../../../activities/invoices/read-fault.ts';
import { readInvoices } from '../../../activities/invoices/read-invoices.ts';
import type { ReadInvoice } from '../../../activities/invoices/invoice.ts';
import { demoInvoices } from '../../../demo/invoices/demo-invoice.ts';
import { commaCsv } from '../../../demo/invoices/invoice-csv.ts';
import { drawInvoice } from '../../../demo/invoices/layouts.ts';
import { zipOf } from '../../../demo/invoices/zip.ts';

const TEST_MS = 120_000;

const CSV = commaCsv(demoInvoices().filter(({ layout }) => layout === 'csv-comma'));
const ZIP = zipOf([{ name: 'a.csv', bytes: Buffer.from(CSV) }]);

/** Bytes with some of them changed. */
function damaged(bytes: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) });
  return fc.array(change, { minLength: 1, maxLength: 8 }).map((changes) => {
    const copy = Buffer.from(bytes);
    for (const { at, to } of changes) copy[at] = to;
    return copy;
  });
}

async function expectAnswer(bytes: Uint8Array): Promise<void> {
  const { invoices, faults } = await readInvoices(bytes, 'x');
  expect(invoices.length + faults.length).toBeGreaterThan(0);
  for (const { message, file } of faults) {
    expect(message).toMatch(/^[^\n]{5,400}$/u);
    expect(file).toMatch(/^x/);
  }
}

describe('readInvoices', () => {
  it(
    'answers any bytes',
    async () => {
      const bytes = fc.uint8Array({ maxLength: 2_000 }).filter((each) => !Buffer.from(each).includes('%PDF-'));
      await fc.assert(fc.asyncProperty(bytes, expectAnswer), { numRuns: 300 });
    },
    TEST_MS,
  );

  it(
    'answers any text, be it a CSV or not',
    async () => {
      const cell = fc.oneof(fc.string(), fc.constantFrom('1,5', '1.5', '=1', '"', '-', '2026-11-01', 'EUR', 'A-1'));
      const [header = ''] = CSV.split('\r\n');
      const records = fc.array(fc.array(cell, { minLength: 11, maxLength: 14 }), { maxLength: 8 });
      const text = records.map((cells) => `${header}\r\n${cells.map((each) => csvLine(each)).join('')}`);
      await fc.assert(
        fc.asyncProperty(text, (each) => expectAnswer(Buffer.from(each))),
        { numRuns: 200 },
      );
    },
    TEST_MS,
  );

  it(
    'answers a damaged CSV and a damaged ZIP',
    async () => {
      const either = fc.oneof(damaged(Buffer.from(CSV)), damaged(ZIP));
      await fc.assert(fc.asyncProperty(either, expectAnswer), { numRuns: 300 });
    },
    TEST_MS,
  );

  it(
    'reads of a CSV that was cut off only invoices that are whole, or with a line less of the last',
    async () => {
      const { invoices: all } = await readInvoices(Buffer.from(CSV), 'x');
      await fc.assert(
        fc.asyncProperty(fc.nat(CSV.length - 1), async (length) => {
          const { invoices } = await readInvoices(Buffer.from(CSV.slice(0, length)), 'x');
          for (const [index, invoice] of invoices.slice(0, -1).entries()) expect(invoice).toEqual(all[index]);
        }),
        { numRuns: 200 },
      );
    },
    TEST_MS,
  );
});

describe('a PDF', () => {
  const reader = new PdfReader();
  afterAll(() => reader.close());
  let bytes: Buffer;
  let whole: ReadInvoice;
  beforeAll(async () => {
    bytes = await drawInvoice(demoInvoices().find(({ number }) => number === 'FA-26-0311')!);
    whole = readPdfInvoice(await reader.read(bytes), 'x');
  }, TEST_MS);

  async function read(some: Uint8Array): Promise<ReadInvoice | ReadFault> {
    try {
      return readPdfInvoice(await reader.read(some), 'x');
    } catch (error) {
      if (error instanceof ReadFault) return error;
      throw error;
    }
  }

  it(
    'that was cut off is read whole or not at all',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (part) => {
          const found = await read(bytes.subarray(0, Math.floor(bytes.length * part)));
          if (!(found instanceof ReadFault)) expect(found).toEqual(whole);
        }),
        { numRuns: 60 },
      );
    },
    TEST_MS,
  );

  it(
    'that is damaged is answered',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(fc.nat(255)),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
          async (values, places) => {
            const copy = Buffer.from(bytes);
            for (const place of places) copy[Math.floor(place * (copy.length - 1))] = values.next().value as number;
            const found = await read(copy);
            expect(found instanceof ReadFault || found.number !== '').toBe(true);
          },
        ),
        { numRuns: 60 },
      );
    },
    TEST_MS,
  );
});
