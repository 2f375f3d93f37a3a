/** PDFs that are no invoices, and some that were made to harm. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { readPdfInvoice } from '../../../activities/invoices/pdf-invoice.ts';
import { PdfReader } from '../../../activities/invoices/pdf-reader.ts';
import { ReadFault } from '../../../activities/invoices/read-fault.ts';
import { demoInvoices } from '../../../demo/invoices/demo-invoice.ts';
import { drawInvoice } from '../../../demo/invoices/layouts.ts';
import { pdfOfContent } from '../../support/raw-pdf.ts';

const MEBIBYTE = 1024 * 1024;
const TEST_MS = 60_000;

const reader = new PdfReader();
afterAll(() => reader.close());

async function pdf(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 40, ...options });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  draw(document);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

async function faultOf(bytes: Buffer, by = reader): Promise<string> {
  const fault: unknown = await by.read(bytes).then(
    (pages) => pages,
    (error: unknown) => error,
  );
  return fault instanceof ReadFault ? fault.message : `no fault: ${String(fault)}`;
}

/** An invoice of texts at places. */
type Line = readonly (readonly [x: number, text: string])[];
async function invoiceOf(lines: readonly Line[]): Promise<ReturnType<typeof readPdfInvoice>> {
  const bytes = await pdf((document) => {
    for (const [row, cells] of lines.entries()) {
      for (const [x, text] of cells) document.fontSize(9).text(text, x, 60 + row * 14, { lineBreak: false });
    }
  });
  return readPdfInvoice(await reader.read(bytes), 'a.pdf');
}
const HEAD: readonly Line[] = [[[50, 'Supplier: Acme']], [[50, 'Invoice No. A-1']]];
const HEADER: Line = [
  [50, 'Description'],
  [250, 'Qty'],
  [320, 'Unit price'],
  [420, 'Amount'],
];
const LINE: Line = [
  [50, 'Screws'],
  [250, '2'],
  [320, '1.50'],
  [420, '3.00'],
];
const TOTAL: Line = [
  [320, 'Total'],
  [420, 'EUR 3.00'],
];

describe('a PDF', () => {
  it(
    'that is protected, damaged, or a scan is refused, each in its words',
    async () => {
      const invoice = await drawInvoice(demoInvoices()[0]!);
      expect(await faultOf(await pdf((document) => document.text('x'), { userPassword: 'secret' }))).toMatch(
        /password/,
      );
      expect(await faultOf(invoice.subarray(0, invoice.length / 2))).toMatch(/damaged/);
      expect(await faultOf(Buffer.from('%PDF-1.7\nnothing'))).toMatch(/damaged/);
      expect(await faultOf(await pdf((document) => document.rect(10, 10, 50, 50).fill()))).toMatch(/probably a scan/);
    },
    TEST_MS,
  );

  it(
    'of too many pages, or of too much text, is refused',
    async () => {
      const page = Buffer.from('BT /F1 9 Tf 50 700 Td (x) Tj ET');
      expect(await faultOf(pdfOfContent(page, { pageCount: 201 }))).toMatch(/more than 200 pages/);
      const much = Buffer.from(`BT /F1 9 Tf ${`1 0 0 1 50 700 Tm (${'x'.repeat(100)}) Tj `.repeat(200)} ET`);
      expect(await faultOf(pdfOfContent(much, { pageCount: 100 }))).toMatch(/more text than an invoice/);
    },
    TEST_MS,
  );

  it(
    'that is only opened by its owner is read',
    async () => {
      const bytes = await pdf((document) => document.text('x'), { ownerPassword: 'secret' });
      expect((await reader.read(bytes))[0]?.[0]?.text).toBe('x');
    },
    TEST_MS,
  );

  it(
    'that takes too long is given up, and the next one is read',
    async () => {
      // Small as a file, and hours of work: each page draws the same long stream.
      const slow = deflateSync(Buffer.from('q 1 0 0 1 0 0 cm Q '.repeat(500_000)));
      const bytes = pdfOfContent(slow, { filter: '/Filter /FlateDecode', pageCount: 200 });
      expect(bytes.length).toBeLessThan(MEBIBYTE);
      const own = new PdfReader({ deadlineMs: 3_000 });
      const startedAt = performance.now();
      expect(await faultOf(bytes, own)).toMatch(/takes too long/);
      expect(await faultOf(Buffer.from('%PDF-1.7\nnothing'), own)).toMatch(/damaged/);
      expect(performance.now() - startedAt).toBeLessThan(TEST_MS);
      own.close();
    },
    TEST_MS,
  );

  it(
    'that takes too much memory is given up',
    async () => {
      const once = deflateSync(Buffer.alloc(600 * MEBIBYTE, ' '));
      const bytes = pdfOfContent(deflateSync(once), { filter: '/Filter [/FlateDecode /FlateDecode]' });
      expect(bytes.length).toBeLessThan(MEBIBYTE);
      expect(await faultOf(bytes)).toMatch(/too much memory|takes too long/);
    },
    TEST_MS,
  );
});

describe('an invoice on paper', () => {
  it('is read', async () => {
    const { number, vendor, total, lines } = await invoiceOf([...HEAD, HEADER, LINE, TOTAL]);
    expect([number, vendor, total, lines.length]).toEqual(['A-1', 'Acme', '3.00', 1]);
  });

  it.each<[string, readonly Line[], RegExp]>([
    ['no table', [...HEAD, LINE, TOTAL], /No table of lines was found/],
    ['a table without lines', [...HEAD, HEADER, TOTAL], /has no lines that can be read/],
    ['no number', [[[50, 'Supplier: Acme']], HEADER, LINE, TOTAL], /No number of the invoice/],
    ['no total', [...HEAD, HEADER, LINE], /No total was found/],
    [
      'no currency',
      [
        ...HEAD,
        HEADER,
        LINE,
        [
          [320, 'Total'],
          [420, '3.00'],
        ],
      ],
      /No currency was found/,
    ],
    [
      'two currencies',
      [
        ...HEAD,
        HEADER,
        LINE,
        [
          [320, 'Net'],
          [420, 'USD 3.00'],
        ],
        TOTAL,
      ],
      /More than one currency/,
    ],
    [
      'a dollar of nobody',
      [
        ...HEAD,
        HEADER,
        LINE,
        [
          [320, 'Total'],
          [420, '$ 3.00'],
        ],
      ],
      /No currency was found/,
    ],
    [
      'a line without a price',
      [
        ...HEAD,
        HEADER,
        LINE,
        [
          [50, 'Nails'],
          [250, '2'],
          [420, '3.00'],
        ],
        TOTAL,
      ],
      /"Nails 2 3.00" cannot be read/,
    ],
    [
      'a line that says no number',
      [
        ...HEAD,
        HEADER,
        [
          [50, 'Nails'],
          [250, 'two'],
          [320, '1.50'],
          [420, '3.00'],
        ],
        TOTAL,
      ],
      /"Nails two/,
    ],
    [
      'a line without words',
      [
        ...HEAD,
        HEADER,
        LINE,
        [
          [250, '2'],
          [320, '1.50'],
          [420, '3.00'],
        ],
        TOTAL,
      ],
      /"2 1.50 3.00" cannot be read/,
    ],
    [
      'a description without end',
      [...HEAD, HEADER, LINE, ...Array.from({ length: 12 }, (): Line => [[50, 'word '.repeat(12)]]), TOTAL],
      /more than 500 characters/,
    ],
  ])('with %s is refused', async (_, lines, message) => {
    await expect(invoiceOf(lines)).rejects.toThrow(message);
  });
});
