import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { readPurchaseRequest, type PurchaseRequest } from '../../../activities/purchase-request.ts';
import type { OrderDraft } from '../../../activities/order-draft.ts';
import { TOOL_FAILURE } from '../../../protocol/task-failure.ts';

function aRequest(overrides: Readonly<Record<string, unknown>> = {}): PurchaseRequest {
  return { vendor: 'V1', currency: 'EUR', lines: [aLine()], ...overrides };
}
function aLine(overrides: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { description: 'Screws', quantity: '3', unitPrice: '0.10', ...overrides };
}
const read = (request: PurchaseRequest): Promise<OrderDraft> => readPurchaseRequest({ request });
const readCsv = (text: string): Promise<OrderDraft> => read({ document: { format: 'csv', text } });
const readJson = (value: unknown): Promise<OrderDraft> =>
  read({ document: { format: 'json', text: typeof value === 'string' ? value : JSON.stringify(value) } });

async function expectFault(reading: Promise<unknown>, message: string): Promise<void> {
  await expect(reading).rejects.toMatchObject({ type: TOOL_FAILURE, nonRetryable: true });
  await expect(reading).rejects.toThrow(message);
}

const HEADER = 'vendor,currency,description,quantity,unit_price\n';
const ROW = 'V1,EUR,Screws,3,0.10\n';

describe('readPurchaseRequest with arguments', () => {
  it('adds up exactly', async () => {
    const lines = [aLine({ quantity: '1', unitPrice: '0.1' }), aLine({ quantity: '1', unitPrice: '0.2' })];
    expect((await read(aRequest({ lines, total: '0.3' }))).total).toBe('0.30');
  });

  it('rounds a line half up to the decimals of the currency', async () => {
    const draft = await read(aRequest({ lines: [aLine({ quantity: '2.5', unitPrice: '0.33' })] }));
    expect(draft.lines[0]).toEqual({ description: 'Screws', quantity: '2.5', unitPrice: '0.33', amount: '0.83' });
  });

  it('keeps every digit of large amounts', async () => {
    const lines = [aLine({ quantity: '999999999', unitPrice: '999999999.99' })];
    expect((await read(aRequest({ lines }))).total).toBe('999999998990000000.01');
  });

  it.each([
    ['JPY', '12', '36'],
    ['KWD', '1.125', '3.375'],
    ['CLF', '0.0001', '0.0003'],
  ])('counts %s in its own minor units', async (currency, unitPrice, total) => {
    expect((await read(aRequest({ currency, lines: [aLine({ unitPrice })] }))).total).toBe(total);
  });

  it.each([
    ['0.105', 'lines[0].unitPrice: must have at most 2 decimals.'],
    ['1e3', 'lines[0].unitPrice: must be written out, without an exponent.'],
    ['-1.00', 'lines[0].unitPrice: must not be negative.'],
    ['1,50', 'lines[0].unitPrice: must use a point for decimals'],
    ['42xyz', 'lines[0].unitPrice: must be a number like 12.50'],
    ['1234567890123', 'lines[0].unitPrice: must have at most 12 digits before the point.'],
    ['NaN', 'lines[0].unitPrice: must be a number like 12.50'],
    ['Infinity', 'lines[0].unitPrice: must be a number like 12.50'],
    [' ', 'lines[0].unitPrice: is missing.'],
    [12.5, 'lines[0].unitPrice: must be a string like "12.50"'],
    [-0, 'lines[0].unitPrice: must be a string like "12.50"'],
    [Number('1e400'), 'lines[0].unitPrice: must be a string like "12.50"'],
    [9007199254740992, 'lines[0].unitPrice: must be a string like "12.50"'],
    [[1], 'lines[0].unitPrice: must be a string like "12.50"'],
  ])('refuses the unit price %p', async (unitPrice, message) => {
    await expectFault(read(aRequest({ lines: [aLine({ unitPrice })] })), message);
  });

  it.each([
    ['no decimals', { currency: 'JPY', lines: [aLine()] }, 'lines[0].unitPrice: must be a whole number.'],
    ['an unknown currency', { currency: 'EURO' }, 'currency: must be an ISO 4217 code like EUR.'],
    ['a quantity of zero', { lines: [aLine({ quantity: '0.000' })] }, 'lines[0].quantity: must be more than zero.'],
    ['a date that does not exist', { neededBy: '2026-02-30' }, 'neededBy: must be a date that exists'],
    ['a total that does not add up', { total: '0.31' }, 'total: is not the sum of the lines.'],
    ['no lines', { lines: [] }, 'lines: must hold at least one line item.'],
    ['lines that are no list', { lines: 'screws' }, 'lines: must be a list of line items.'],
    ['a line that is no object', { lines: ['screws'] }, 'lines[0]: must be an object.'],
    [
      'too many lines',
      { lines: Array.from({ length: 1_001 }, () => aLine()) },
      'lines: must hold at most 1000 line items.',
    ],
    ['a long vendor', { vendor: 'x'.repeat(121) }, 'vendor: must have at most 120 characters.'],
    ['a vendor that turns around what follows', { vendor: 'A\u202eB' }, 'vendor: holds control characters.'],
    ['an unknown member', { lines: [aLine({ discount: '1' })] }, 'lines[0]: has a member that is not known.'],
    ['a document beside arguments', { document: { format: 'csv', text: ROW } }, 'document: cannot be combined'],
  ])('refuses %s', async (_what, overrides, message) => {
    await expectFault(read(aRequest(overrides)), message);
  });

  it('never repeats a value that was refused', async () => {
    const reading = read(aRequest({ lines: [aLine({ unitPrice: 'secret-4711' })] }));
    await expect(reading).rejects.not.toThrow(/4711/);
  });
});

describe('readPurchaseRequest with a CSV document', () => {
  it('reads a byte order mark, quotes, either separator, empty lines and the order fields of the first record', async () => {
    const text =
      '\ufeffVendor;Currency;Cost centre;Needed by;Description;Qty;Quantity;Unit price\r\n'.replace('Qty;', '') +
      '"Müller ""M"" ; Söhne";EUR;1100;2026-12-24;"Two\nlines";2;10.00\r\n\r\n;;;;Mat;1;5.5\r\n';
    expect(await readCsv(text)).toEqual({
      vendor: 'Müller "M" ; Söhne',
      currency: 'EUR',
      costCentre: '1100',
      neededBy: '2026-12-24',
      total: '25.50',
      lines: [
        { description: 'Two lines', quantity: '2', unitPrice: '10.00', amount: '20.00' },
        { description: 'Mat', quantity: '1', unitPrice: '5.50', amount: '5.50' },
      ],
    });
  });

  it.each([
    [
      'a formula',
      `${HEADER}"=HYPERLINK(""x"")",EUR,Screws,3,0.10\n`,
      'line 2, column vendor: starts like a spreadsheet formula',
    ],
    ['a formula for a number', `${HEADER}${ROW}V1,EUR,Nuts,+3,0.10\n`, 'line 3, column quantity: starts like'],
    ['a formula behind a minus', `${HEADER}V1,EUR,-1+cmd,3,0.10\n`, 'line 2, column description: starts like'],
    ['a negative number', `${HEADER}V1,EUR,Screws,-3,0.10\n`, 'line 2, column quantity: must not be negative.'],
    [
      'another encoding',
      `${HEADER}V1\ufffd,EUR,Screws,3,0.10\n`,
      'document, line 2: holds characters that no UTF-8 text has.',
    ],
    ['UTF-16 read as bytes', `v\u0000e\u0000n\u0000`, 'document, line 1: holds characters'],
    ['an open quote', `${HEADER}V1,EUR,"Screws,3,0.1`, 'document: ends inside a quoted cell.'],
    ['a short record', `${HEADER}${ROW}V1,EUR,Nu`, 'line 3: has not as many cells as the header.'],
    ['a last line without its end', `${HEADER}${ROW.trimEnd()}`, 'line 2: the document may have been cut off here.'],
    ['a stray quote', `${HEADER}V1,EUR,Scr"ews,3,0.10\n`, 'line 2: has a quote in the wrong place.'],
    ['a header alone', HEADER, 'document: has a header and no line items.'],
    ['nothing', '  \n', 'document: is empty.'],
    ['an unknown header', 'vendor,colour\nV1,red\n', 'line 1, column 2: is not a known header.'],
    ['a header that every object has', 'vendor,constructor\nV1,red\n', 'line 1, column 2: is not a known header.'],
    ['a header twice', 'vendor,Vendor\nV1,V1\n', 'line 1: names a column twice.'],
    ['two orders', `${HEADER}${ROW}V2,EUR,Nuts,1,0.10\n`, 'line 3, column vendor: differs from the records above.'],
    ['a missing cell', `${HEADER}V1,EUR,Screws,,0.10\n`, 'line 2, quantity: is missing.'],
    ['too many lines', HEADER + ROW.repeat(1_001), 'document: must have at most 1000 line items.'],
    ['an endless cell', `${HEADER}V1,EUR,${'x'.repeat(20_000)},3,0.10\n`, 'line 2: is longer than 10000 characters.'],
  ])('refuses %s', async (_what, text, message) => {
    await expectFault(readCsv(text), message);
  });
});

describe('readPurchaseRequest with a JSON document', () => {
  it('reads strings and whole numbers', async () => {
    const draft = await readJson({ vendor: 'V1', currency: 'EUR', lines: [aLine({ quantity: 40 })], total: 4 });
    expect(draft.total).toBe('4.00');
  });

  it.each([
    ['a number with decimals', { ...aRequest(), total: 0.3 }, 'document, total: must be a string like "12.50"'],
    [
      'a document that was cut off',
      JSON.stringify(aRequest()).slice(0, -3),
      'document, line 1: this is not whole JSON.',
    ],
    ['a list', '[]', 'document: must be an object.'],
    [
      'a prototype',
      '{"__proto__":{"vendor":"V1"},"currency":"EUR","lines":[]}',
      'document: has a member that is not known.',
    ],
    ['another encoding', '{"vendor":"\ufffd"}', 'document, line 1: holds characters that no UTF-8 text has.'],
  ])('refuses %s', async (_what, document, message) => {
    await expectFault(readJson(document), message);
  });
});

describe('the sample requests', () => {
  it('are read, and whatever is cut off from one is refused or changes nothing', async () => {
    const folder = 'demo/requests';
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const file of files) {
      const text = await readFile(`${folder}/${file}`, 'utf8');
      const format = file.endsWith('.csv') ? 'csv' : 'json';
      const whole = await read({ document: { format, text } });
      for (let length = 0; length < text.length; length += 3) {
        const cut = await read({ document: { format, text: text.slice(0, length) } }).catch(() => whole);
        expect(cut).toEqual(whole);
      }
    }
  });
});
