import { describe, expect, it } from '@jest/globals';
import type { ReadInvoices } from '../../../../activities/invoices/invoice.ts';
import { MAX_RECORDS } from '../../../../activities/invoices/csv-invoices.ts';
import { MAX_FAULTS, readInvoices } from '../../../../activities/invoices/read-invoices.ts';
import { turnsDuring } from '../../../support/turns-during.ts';

const HEADER = 'invoice_number,vendor,currency,description,quantity,unit_price,amount,total';
const SCREWS = 'A-1,Acme,EUR,Screws,2,1.50,3.00,5.00';
const NAILS = 'A-1,Acme,EUR,Nails,1,2.00,2.00,5.00';
const OTHER = 'B-7,Bolt & Co,USD,Bolts,1,9.00,9.00,9.00';

function read(text: string | Buffer): Promise<ReadInvoices> {
  return readInvoices(Buffer.from(text as string), 'in.csv');
}
const csv = (...lines: readonly string[]): Promise<ReadInvoices> => read([HEADER, ...lines, ''].join('\n'));

describe('a CSV of invoices', () => {
  it('is one invoice of each vendor and number, wherever its lines stand', async () => {
    const { invoices, faults } = await csv(SCREWS, OTHER, NAILS);
    expect(faults).toEqual([]);
    expect(invoices.map(({ number, lines, source }) => [number, lines.length, source])).toEqual([
      ['A-1', 2, { file: 'in.csv', row: 2 }],
      ['B-7', 1, { file: 'in.csv', row: 3 }],
    ]);
  });

  it('may begin with a byte order mark, end its lines in any way, and say a value once', async () => {
    const lines = `\ufeff${HEADER}\r\n${SCREWS}\r\nA-1,Acme,,Nails,1,2.00,2.00,\r\n`;
    const { invoices, faults } = await read(lines);
    expect([invoices[0]?.lines.length, invoices[0]?.total, faults]).toEqual([2, '5.00', []]);
  });

  it('is read by semicolons and decimal commas where it is written so', async () => {
    const header = HEADER.replaceAll(',', ';');
    const { invoices } = await read(`${header}\nA-1;Acme;EUR;Screws;1.000;1,50;1.500,00;1.500,00\n`);
    expect(invoices[0]?.lines[0]).toEqual({
      description: 'Screws',
      quantity: '1000',
      unitPrice: '1.50',
      amount: '1500.00',
    });
  });

  it('keeps a formula as the text that it is, and takes none for a number', async () => {
    const formula = "=cmd|' /C calc'!A0";
    const { invoices } = await csv(SCREWS.replace('Screws', formula));
    expect(invoices[0]?.lines[0]?.description).toBe(formula);
    const { faults } = await csv(SCREWS.replace('1.50', '=1+1'));
    expect(faults).toEqual([{ file: 'in.csv', row: 2, message: 'Invoice A-1 was not read. "=1+1" is not a number.' }]);
  });

  it('is a credit note where the total is below zero', async () => {
    const { invoices } = await csv('C-1,Acme,EUR,Screws,-2,1.50,-3.00,-3.00');
    expect([invoices[0]?.kind, invoices[0]?.total]).toEqual(['credit_note', '-3.00']);
  });

  it.each(['\u200d', '\u200c', '\u034f', '\ufe0f'])(
    'takes no number, vendor or article for another one by what is not seen: %j',
    async (unseen) => {
      const changed = [SCREWS.replace('A-1', `A${unseen}-1`), SCREWS.replace('Acme', `Ac${unseen}me`)];
      for (const line of changed) {
        const { invoices, faults } = await csv(line, OTHER);
        expect(invoices.map(({ number }) => number)).toEqual(['B-7']);
        expect(faults).toEqual([{ file: 'in.csv', row: 2, message: expect.stringMatching(/that are not seen/) }]);
      }
    },
  );

  it('keeps the joiners that letters need', async () => {
    const { invoices, faults } = await csv(
      SCREWS.replace('Acme', 'می\u200cخواهم').replace('Screws', 'क्\u200dष 👨\u200d🔧'),
    );
    expect([invoices[0]?.vendor, invoices[0]?.lines[0]?.description, faults]).toEqual([
      'می\u200cخواهم',
      'क्\u200dष 👨\u200d🔧',
      [],
    ]);
  });

  it.each([
    ['a cell too few', 'A-1,Acme,EUR,Nails,1,2.00,2.00', 4, /not as many cells/],
    ['a cell too many', 'A-1,Acme,EUR,Nails; long, thin,1,2.00,2.00,5.00', 4, /not as many cells/],
    ['no amount', 'A-1,Acme,EUR,Nails,1,2.00,,5.00', 4, /column amount is empty/],
    ['another total', NAILS.replace(/5\.00$/, '6.00'), 4, /column total differs/],
    ['what is not seen', NAILS.replace('Nails', 'Na\u202eils'), 2, /characters that are not seen/],
    ['a letter that is not seen', NAILS.replace('Nails', 'Na\u3164ils'), 2, /characters that are not seen/],
    ['a joiner that no letter needs', NAILS.replace('Nails', 'Na\u200dils'), 2, /characters that are not seen/],
    ['a currency that is none', NAILS.replace('EUR', 'XYZ'), 4, /column currency differs/],
  ])('leaves out an invoice of which a line has %s, and reads the others', async (_, line, row, message) => {
    const { invoices, faults } = await csv(SCREWS, OTHER, line);
    expect(invoices.map(({ number }) => number)).toEqual(['B-7']);
    expect(faults).toEqual([{ file: 'in.csv', row, message: expect.stringMatching(message) }]);
  });

  it('says in one line what is wrong with a cell of several', async () => {
    const { faults } = await csv(SCREWS.replace('1.50', '"1\n.50"'));
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Invoice A-1 .*"1 \.50" is not a number[^\n]*$/),
    ]);
  });

  it('lets others have their turn while it reads a large one', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => SCREWS.replace('A-1', `A-${String(index)}`));
    expect(await turnsDuring(() => csv(...lines))).toBeGreaterThan(3);
  });

  it('says which line belongs to no invoice', async () => {
    const { invoices, faults } = await csv(SCREWS, ',Acme,EUR,Nails,1,2.00,2.00,5.00', 'x');
    expect(invoices).toHaveLength(1);
    expect(faults.map(({ row, message }) => [row, message])).toEqual([
      [3, 'The vendor or the invoice number is missing.'],
      [4, expect.stringMatching(/not as many cells/)],
    ]);
  });

  it.each([
    ['no CSV', 'hello', /no line below its header/],
    ['a header alone', `${HEADER}\n`, /no line below its header/],
    ['an unknown header', `${HEADER},colour\n${SCREWS},red\n`, /Column 9 of the CSV has no known header/],
    ['a header twice', `${HEADER},total\n${SCREWS},5.00\n`, /names a column twice/],
    ['no total', `${HEADER.replace(',total', '')}\nA-1,Acme,EUR,Screws,2,1.50,3.00\n`, /lacks columns: total/],
    ['a quote that stays open', `${HEADER}\nA-1,"Acme,EUR\n`, /ends inside a quoted cell/],
    [
      'a quote in the wrong place',
      `${HEADER}\n${SCREWS.replace('Screws', 'Scr"ews')}\n`,
      /a quote is in the wrong place/,
    ],
    [
      'a line without end',
      `${HEADER}\n${SCREWS.replace('Screws', 'S'.repeat(20_000))}\n`,
      /longer than 10000 characters/,
    ],
    ['two notations', `${HEADER}\n${SCREWS}\n${OTHER.replace('9.00,9', '"9,00",9')}\n`, /some a decimal comma/],
    ['no date', `${HEADER},date\n${SCREWS},03/04/2026\n`, /Write it as YYYY-MM-DD/],
  ])('refuses %s', async (_, text, message) => {
    const { invoices, faults } = await read(text);
    expect([invoices, faults]).toEqual([[], [expect.objectContaining({ message: expect.stringMatching(message) })]]);
  });

  it.each([
    ['Latin-1', Buffer.from(`${HEADER}\n${SCREWS.replace('Acme', 'Söhne')}\n`, 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}\n${SCREWS}\n`, 'utf16le')],
    ['something else', Buffer.from([1, 2, 0, 255])],
  ])('refuses %s', async (_, bytes) => {
    const { faults } = await read(bytes);
    expect(faults[0]?.message).toMatch(/^The file is neither a PDF nor a CSV in UTF-8/);
  });

  it('refuses a million lines, in a moment', async () => {
    const { invoices, faults } = await read(`${HEADER}\n${`${OTHER}\n`.repeat(1_000_000)}`.slice(0, 20 * 1024 * 1024));
    expect([invoices.length, faults[0]?.message]).toEqual([0, expect.stringContaining(String(MAX_RECORDS))]);
  });

  it('refuses an invoice of too many lines, and does not repeat the same fault for ever', async () => {
    const { invoices, faults } = await read(
      `${HEADER}\n${`${SCREWS}\n`.repeat(1_001)}${'x\n'.repeat(2_000)}${OTHER}\n`,
    );
    expect(invoices.map(({ number }) => number)).toEqual(['B-7']);
    expect(faults).toHaveLength(MAX_FAULTS + 1);
    expect(faults[0]?.message).toMatch(/at most 1000 lines/);
    expect(faults.at(-1)?.message).toBe('1001 more faults were found. Mend these first.');
  });
});
