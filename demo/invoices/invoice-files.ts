/** The files of the demo: a PDF an invoice, two CSVs, and all of them in one ZIP. */
import { demoInvoices, type DemoInvoice } from './demo-invoice.ts';
import { commaCsv, semicolonCsv } from './invoice-csv.ts';
import { drawInvoice } from './layouts.ts';
import { zipOf, type ZippedFile } from './zip.ts';

export const ALL_IN_ONE = 'invoices.zip';

/** The ZIP comes last. The same data makes the same bytes. */
export async function invoiceFiles(invoices: readonly DemoInvoice[] = demoInvoices()): Promise<readonly ZippedFile[]> {
  const files: ZippedFile[] = [];
  for (const invoice of invoices.filter(({ layout }) => !layout.startsWith('csv-'))) {
    files.push({ name: invoice.file, bytes: await drawInvoice(invoice) });
  }
  for (const [layout, write] of [
    ['csv-comma', commaCsv],
    ['csv-semicolon', semicolonCsv],
  ] as const) {
    const listed = invoices.filter((invoice) => invoice.layout === layout);
    if (listed[0] !== undefined) files.push({ name: listed[0].file, bytes: Buffer.from(write(listed)) });
  }
  return [...files, { name: ALL_IN_ONE, bytes: zipOf(files) }];
}
