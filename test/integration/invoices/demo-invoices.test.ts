/** Every field of every invoice of the demo, read from what is printed of it: seven layouts on paper, two kinds of CSV. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadInvoices } from '../../../activities/invoices/invoice.ts';
import { readInvoices } from '../../../activities/invoices/read-invoices.ts';
import { demoInvoices } from '../../../demo/invoices/demo-invoice.ts';
import { ALL_IN_ONE, invoiceFiles } from '../../../demo/invoices/invoice-files.ts';
import type { ZippedFile } from '../../../demo/invoices/zip.ts';

const START_MS = 60_000;

let files: readonly ZippedFile[];
let read: ReadInvoices;
const told: string[] = [];
beforeAll(async () => {
  files = await invoiceFiles();
  const { bytes } = files.at(-1)!;
  read = await readInvoices(bytes, ALL_IN_ONE, { onFile: (name) => void told.push(name) });
}, START_MS);

describe('the invoices of the demo', () => {
  it('are many, of many kinds', () => {
    const all = demoInvoices();
    const onPaper = all.filter(({ layout }) => !layout.startsWith('csv-'));
    expect(onPaper.length).toBeGreaterThanOrEqual(30);
    expect(new Set(all.map(({ layout }) => layout)).size).toBe(9);
    expect(new Set(all.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'GBP', 'USD', 'CHF', 'JPY']));
  });

  it('are all read, without a fault, and told one by one', () => {
    expect(read.faults).toEqual([]);
    expect(read.invoices).toHaveLength(demoInvoices().length);
    expect(told).toEqual(files.slice(0, -1).map(({ name }) => `${ALL_IN_ONE}/${name}`));
  });

  it.each(demoInvoices().map((invoice) => [invoice.number, invoice] as const))('%s', (number, invoice) => {
    const { file, layout, address: _address, taxRate: _taxRate, ...wanted } = invoice;
    const found = read.invoices.find((each) => each.number === number);
    const row = layout.startsWith('csv-') ? { row: rowOf(file, number) } : {};
    expect(found).toEqual({ ...wanted, source: { file: `${ALL_IN_ONE}/${file}`, ...row } });
  });

  it('make the same bytes each time', async () => {
    const again = await invoiceFiles();
    expect(again.at(-1)!.bytes.every((byte, index) => byte === files.at(-1)!.bytes[index])).toBe(true);
  });
});

function rowOf(file: string, number: string): number {
  const text = Buffer.from(files.find(({ name }) => name === file)!.bytes).toString();
  return text.split('\r\n').findIndex((line) => line.startsWith(`${number},`) || line.startsWith(`${number};`)) + 1;
}
