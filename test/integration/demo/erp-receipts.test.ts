import { describe, expect, it } from '@jest/globals';
import { askErp } from '../../support/ask-erp.ts';
import { openErp, type OpenErp } from '../../support/erp-in-process.ts';
import { startErp } from '../../support/erp.ts';
import { anOrder } from '../../support/order.ts';

type Json = Readonly<Record<string, unknown>>;

async function ask(...request: Parameters<typeof askErp>): Promise<[number, Json]> {
  const { status, body } = await askErp(...request);
  return [status, body as Json];
}

/** Two lines: four chairs, and half a day. */
async function orderIn(erp: Pick<OpenErp, 'url'>, status = 'posted'): Promise<string> {
  const lines = [
    { description: 'Office chair', sku: 'OC-1', quantity: '4', unitPrice: '189.90', amount: '759.60' },
    { description: 'Assembly', quantity: '0.5', unitPrice: '400.00', amount: '200.00' },
  ];
  const [, { number }] = await ask(erp, 'POST', '/orders', { ...anOrder({ lines, total: '959.60' }), status });
  return `/orders/${String(number)}`;
}

const received = (reference: string, ...lines: readonly (readonly [number, string])[]): Json => ({
  reference,
  lines: lines.map(([line, quantity]) => ({ line, quantity })),
});

describe('goods receipts of the demo ERP', () => {
  it('are kept under a number of their own, in the order in which they came', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const order = await orderIn(erp);
    const receivedAt = '2026-12-01T09:30:00.000Z';
    const [status, first] = await ask(erp, 'POST', `${order}/receipts`, { ...received('DN-1', [1, '3']), receivedAt });
    expect([status, first]).toEqual([
      201,
      { number: 'GR-500001', order: order.slice(8), receivedAt, lines: [{ line: 1, quantity: '3' }] },
    ]);
    const [, second] = await ask(erp, 'POST', `${order}/receipts`, received('DN-2', [1, '1.0'], [2, '0.5']));
    expect(await ask(erp, 'GET', `${order}/receipts`)).toEqual([200, { receipts: [first, second] }]);
  });

  it('are made once for a reference, whatever comes under it again', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const [order, other] = [await orderIn(erp), await orderIn(erp)];
    const [, first] = await ask(erp, 'POST', `${order}/receipts`, received('DN-1', [1, '4']));
    expect(await ask(erp, 'POST', `${order}/receipts`, received('DN-1', [1, '4']))).toEqual([200, first]);
    expect((await ask(erp, 'POST', `${other}/receipts`, received('DN-1', [1, '4'])))[0]).toBe(201);
  });

  it.each([
    ['of a line that the order has not', received('DN-1', [3, '1']), 'has no line 3'],
    ['of line 0', received('DN-1', [0, '1']), 'has no line 0'],
    ['of nothing', received('DN-1', [1, '0.000']), 'above 0'],
    ['of less than nothing', received('DN-1', [1, '-1']), 'above 0'],
    ['of what is no decimal', received('DN-1', [1, '1e1']), 'above 0'],
    ['of more than was ordered', received('DN-1', [1, '4.000001']), 'more than the 4 that were ordered'],
    ['of more than was ordered in two lines', received('DN-1', [2, '0.3'], [2, '0.3']), 'more than the 0.5'],
  ])('are refused %s', async (_, body, words) => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const order = await orderIn(erp);
    const [status, { error }] = await ask(erp, 'POST', `${order}/receipts`, body);
    expect([status, error]).toEqual([422, expect.stringContaining(words)]);
    expect(await ask(erp, 'GET', `${order}/receipts`)).toEqual([200, { receipts: [] }]);
  });

  it('are refused beyond what is still to come', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const order = await orderIn(erp);
    await ask(erp, 'POST', `${order}/receipts`, received('DN-1', [1, '3']));
    expect((await ask(erp, 'POST', `${order}/receipts`, received('DN-2', [1, '2'])))[0]).toBe(422);
    expect((await ask(erp, 'POST', `${order}/receipts`, received('DN-2', [1, '1'])))[0]).toBe(201);
  });

  it.each([
    ['without a reference', { lines: [{ line: 1, quantity: '1' }] }],
    ['without lines', { reference: 'DN-1', lines: [] }],
    ['with half a line', { reference: 'DN-1', lines: [{ line: 1 }] }],
    ['at no time', { reference: 'DN-1', receivedAt: 'today', lines: [{ line: 1, quantity: '1' }] }],
    ['that are a list', []],
  ])('are no receipts %s', async (_, body) => {
    const erp = await openErp({ mode: 'idempotency-key' });
    expect((await ask(erp, 'POST', `${await orderIn(erp)}/receipts`, body))[0]).toBe(400);
  });

  it('belong to an order that is posted', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const [voided, draft] = [await orderIn(erp), await orderIn(erp, 'draft')];
    await ask(erp, 'POST', `${voided}/void`);
    const body = received('DN-1', [1, '1']);
    expect(await ask(erp, 'POST', `${voided}/receipts`, body)).toEqual([
      422,
      { error: expect.stringContaining('is voided') },
    ]);
    expect((await ask(erp, 'POST', `${draft}/receipts`, body))[0]).toBe(422);
    expect((await ask(erp, 'POST', '/orders/PO-1/receipts', body))[0]).toBe(404);
    expect((await ask(erp, 'GET', '/orders/PO-1/receipts'))[0]).toBe(404);
  });

  it('keep their order from being voided', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const order = await orderIn(erp);
    await ask(erp, 'POST', `${order}/receipts`, received('DN-1', [1, '1']));
    expect(await ask(erp, 'POST', `${order}/void`)).toEqual([422, { error: 'goods have come for this order' }]);
    expect((await ask(erp, 'GET', order))[1]).toMatchObject({ status: 'posted' });
  });

  it('can be compared with their order line by line', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    expect((await ask(erp, 'GET', await orderIn(erp)))[1]).toMatchObject({
      vendor: 'Nordlicht Bürobedarf GmbH',
      currency: 'EUR',
      lines: [
        { description: 'Office chair', sku: 'OC-1', quantity: '4', unitPrice: '189.90' },
        { description: 'Assembly', quantity: '0.5', unitPrice: '400.00' },
      ],
    });
  });

  it('are kept once over kill -9, also when nobody heard the answer', async () => {
    const erp = await startErp({ mode: 'idempotency-key' });
    const order = await orderIn(erp);
    await erp.arm({ at: 'receipts-after-accept', kind: 'drop' });
    await expect(ask(erp, 'POST', `${order}/receipts`, received('DN-1', [1, '3']))).rejects.toThrow('fetch failed');
    erp.signal('SIGKILL');
    await erp.exited;
    const again = await startErp({ mode: 'idempotency-key', dataFile: erp.dataFile });
    const [status, first] = await ask(again, 'POST', `${order}/receipts`, received('DN-1', [1, '3']));
    expect([status, first['number']]).toEqual([200, 'GR-500001']);
    const [, second] = await ask(again, 'POST', `${order}/receipts`, received('DN-2', [1, '1']));
    expect(second['number']).toBe('GR-500002');
  });
});
