import { describe, expect, it } from '@jest/globals';
import type { Invoice } from '../../../demo/erp/invoice.ts';
import { MODES } from '../../../demo/erp/erp-server.ts';
import { askErp } from '../../support/ask-erp.ts';
import { openErp } from '../../support/erp-in-process.ts';
import { startErp } from '../../support/erp.ts';
import { anOrder } from '../../support/order.ts';

interface Answer {
  readonly status: number;
  readonly body: Partial<Invoice> & {
    readonly error?: string;
    readonly duplicateOf?: string;
    readonly invoices?: readonly Invoice[];
    readonly orders?: readonly { readonly number: string }[];
  };
}

const ask = askErp as (...request: Parameters<typeof askErp>) => Promise<Answer>;

const ORDER = { ...anOrder(), number: 'PO-440001' };

function invoice(overrides: object = {}): object {
  return {
    reference: 'task-1:invoice-1',
    order: ORDER.number,
    vendor: ORDER.vendor,
    vendorInvoice: 'RE-1',
    currency: 'EUR',
    total: '903.92',
    lines: [{ line: 1, description: 'Office chair', quantity: '4', unitPrice: '189.90', amount: '759.60' }],
    ...overrides,
  };
}

describe('the invoices of the demo ERP', () => {
  it.each(MODES)('takes a second invoice of the same vendor and number for a duplicate, with %s', async (mode) => {
    const erp = await openErp({ mode });
    await ask(erp, 'POST', '/orders', ORDER, 'o');
    const first = await ask(erp, 'POST', '/invoices', invoice(), 'k1');
    expect(first).toMatchObject({ status: 201, body: { status: 'posted', order: ORDER.number } });
    const again = invoice({ reference: 'task-2:invoice-1', vendorInvoice: 're - 1' });
    expect(await ask(erp, 'POST', '/invoices', again, 'k2')).toMatchObject({
      status: 409,
      body: { duplicateOf: first.body.number },
    });
    await ask(erp, 'POST', `/invoices/${first.body.number!}/void`);
    expect((await ask(erp, 'POST', '/invoices', again, 'k3')).status).toBe(201);
    expect((await erp.state()).invoices.map(({ status }) => status)).toEqual(['voided', 'posted']);
  });

  it('gives the first outcome to a repeated key, and names the first under a repeated reference', async () => {
    const keyed = await openErp({ mode: 'idempotency-key' });
    const unique = await openErp({ mode: 'unique-reference' });
    for (const erp of [keyed, unique]) await ask(erp, 'POST', '/orders', ORDER);
    const first = await ask(keyed, 'POST', '/invoices', invoice(), 'k');
    expect(await ask(keyed, 'POST', '/invoices', invoice(), 'k')).toEqual({ status: 200, body: first.body });
    const other = invoice({ reference: 'other' });
    expect((await ask(keyed, 'POST', '/invoices', other, 'k')).status).toBe(422);
    const { body } = await ask(unique, 'POST', '/invoices', invoice());
    expect(await ask(unique, 'POST', '/invoices', invoice())).toMatchObject({
      status: 409,
      body: { number: body.number },
    });
  });

  it('shows invoices by number, by reference, by the number of the vendor and by order', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    await ask(erp, 'POST', '/orders', ORDER);
    const { body } = await ask(erp, 'POST', '/invoices', invoice());
    const vendor = encodeURIComponent(ORDER.vendor);
    for (const query of [`reference=task-1:invoice-1`, `vendor=${vendor}&vendorInvoice=RE-1`]) {
      expect((await ask(erp, 'GET', `/invoices?${query}`)).body.invoices).toEqual([body]);
    }
    expect((await ask(erp, 'GET', `/invoices/${body.number!}`)).body).toEqual(body);
    expect((await ask(erp, 'GET', `/orders/${ORDER.number}/invoices`)).body.invoices).toEqual([body]);
    expect((await ask(erp, 'GET', `/orders?vendor=${vendor}`)).body.orders).toMatchObject([{ number: ORDER.number }]);
    expect((await ask(erp, 'GET', '/orders/PO-1/invoices')).status).toBe(404);
    expect((await ask(erp, 'GET', '/invoices/IV-1')).status).toBe(404);
    expect((await ask(erp, 'GET', '/invoices')).status).toBe(400);
    expect((await ask(erp, 'DELETE', '/invoices')).status).toBe(404);
  });

  it.each([
    ['for an order that is not there', { order: 'PO-1' }, 422],
    ['for a line that the order has not', { lines: [{ ...ORDER.lines[0], line: 2 }] }, 422],
    ['without lines', { lines: [] }, 400],
    ['with a total that is no decimal', { total: '1e3' }, 400],
    ['without a number', { vendorInvoice: '' }, 400],
  ])('refuses one %s', async (_what, overrides, status) => {
    const erp = await openErp({ mode: 'idempotency-key' });
    await ask(erp, 'POST', '/orders', ORDER);
    const answer = await ask(erp, 'POST', '/invoices', invoice(overrides));
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
    expect((await erp.state()).invoices).toEqual([]);
  });

  it('takes over orders under the numbers that they had, once', async () => {
    const erp = await openErp({ mode: 'search-only' });
    expect((await ask(erp, 'POST', '/orders', ORDER)).body.number).toBe('PO-440001');
    expect((await ask(erp, 'POST', '/orders', ORDER)).status).toBe(409);
    expect((await ask(erp, 'POST', '/orders', { ...ORDER, number: 'PO-1' })).status).toBe(400);
    expect((await ask(erp, 'POST', '/orders', { ...ORDER, number: 'PO-450003' })).status).toBe(201);
    expect((await ask(erp, 'POST', '/orders', anOrder())).body.number).toBe('PO-450004');
  });

  it('keeps invoices, keys and voids over kill -9', async () => {
    const erp = await startErp({ mode: 'idempotency-key' });
    await ask(erp, 'POST', '/orders', ORDER);
    const first = await ask(erp, 'POST', '/invoices', invoice(), 'k');
    const second = await ask(erp, 'POST', '/invoices', invoice({ reference: 'b', vendorInvoice: 'RE-2' }), 'k2');
    await ask(erp, 'POST', `/invoices/${second.body.number!}/void`);
    erp.signal('SIGKILL');
    await erp.exited;
    const restarted = await startErp({ mode: 'idempotency-key', dataFile: erp.dataFile });
    expect((await ask(restarted, 'POST', '/invoices', invoice(), 'k')).body.number).toBe(first.body.number);
    expect((await restarted.state()).invoices.map(({ status }) => status)).toEqual(['posted', 'voided']);
  });
});
