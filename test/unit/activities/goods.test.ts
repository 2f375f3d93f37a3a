import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createGoodsActivities } from '../../../activities/goods.ts';
import { openErp, type OpenErp } from '../../support/erp-in-process.ts';
import { freePort } from '../../support/free-port.ts';
import { anOrder } from '../../support/order.ts';
import { atScopeEnd } from '../../support/scope.ts';

const LINES = [
  { description: 'Office chair', quantity: '4', unitPrice: '189.90', amount: '759.60' },
  { description: 'Assembly', quantity: '0.75', unitPrice: '100.00', amount: '75.00' },
];

function run<Args, Result>(activity: (args: Args) => Promise<Result>, args: Args): Promise<Result> {
  return new MockActivityEnvironment().run(activity, args);
}

async function post(erp: OpenErp, path: string, body: unknown): Promise<{ number: string }> {
  const response = await fetch(erp.url + path, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as { number: string };
}

async function orderIn(erp: OpenErp): Promise<string> {
  return (await post(erp, '/orders', anOrder({ lines: LINES }))).number;
}

async function receive(erp: OpenErp, number: string, reference: string, line: number, quantity: string): Promise<void> {
  await post(erp, `/orders/${number}/receipts`, { reference, lines: [{ line, quantity }] });
}

/** Where the ERP shows an order for four chairs, of which five came and one went back. */
async function withReturn(): Promise<string> {
  const at = { receivedAt: '2026-12-01T09:30:00.000Z' };
  const receipts = [
    { number: 'GR-1', ...at, lines: [{ line: 1, quantity: '5' }] },
    { number: 'GR-2', ...at, lines: [{ line: 1, quantity: '-1' }] },
  ];
  return answering({ status: 'posted', lines: LINES.slice(0, 1), receipts });
}

/** Somebody who answers everything with `body`. */
async function answering(body: unknown): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atScopeEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

describe('lookForGoods', () => {
  it('counts exactly what has come, over all receipts and lines', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const { lookForGoods } = createGoodsActivities({ erpUrl: erp.url });
    const number = await orderIn(erp);
    const base = { ordered: '4.75', isVoided: false };
    expect((await run(lookForGoods, { number })).status).toEqual({ ...base, received: '0', isComplete: false });
    for (const quantity of ['0.1', '0.2', '0.45']) await receive(erp, number, `DN-${quantity}`, 2, quantity);
    expect((await run(lookForGoods, { number })).status).toEqual({ ...base, received: '0.75', isComplete: false });
    await receive(erp, number, 'DN-2', 1, '4');
    expect((await run(lookForGoods, { number })).status).toEqual({ ...base, received: '4.75', isComplete: true });
  });

  it('takes off what went back', async () => {
    const { lookForGoods } = createGoodsActivities({ erpUrl: await withReturn() });
    const { status } = await run(lookForGoods, { number: 'PO-1' });
    expect(status).toMatchObject({ received: '4', isComplete: true });
  });

  it('tells of an order that was voided', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const number = await orderIn(erp);
    await post(erp, `/orders/${number}/void`, {});
    const { status } = await run(createGoodsActivities({ erpUrl: erp.url }).lookForGoods, { number });
    expect(status).toMatchObject({ isVoided: true, isComplete: false });
  });

  it('knows nothing when the ERP does not answer, or in other words', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const number = await orderIn(erp);
    const at = (erpUrl: string): Promise<unknown> => run(createGoodsActivities({ erpUrl }).lookForGoods, { number });
    for (const kind of ['drop', 'unavailable'] as const) {
      await erp.arm({ at: 'receipts-read', kind, times: 1 });
      expect(await at(erp.url)).toEqual({});
    }
    expect(await at(`http://127.0.0.1:${await freePort()}`)).toEqual({});
    for (const body of [{}, { status: 'posted', lines: [{ quantity: 'many' }], receipts: [] }, 'x']) {
      expect(await at(await answering(body))).toEqual({});
    }
  });
});

describe('readReceipts', () => {
  it('reads them in their order', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const number = await orderIn(erp);
    await receive(erp, number, 'DN-1', 1, '3');
    await receive(erp, number, 'DN-2', 1, '1');
    const { readReceipts } = createGoodsActivities({ erpUrl: erp.url });
    const line = (quantity: string): unknown => expect.objectContaining({ lines: [{ line: 1, quantity }] });
    expect(await run(readReceipts, { number })).toEqual({ receipts: [line('3'), line('1')], leftOut: 0 });
  });

  it('leaves out what a result could not carry, and says how much', async () => {
    const lines = Array.from({ length: 900 }, (_, index) => ({ line: index + 1, quantity: '1' }));
    const receipt = { number: 'GR-1', receivedAt: '2026-12-01T09:30:00.000Z', lines };
    const erpUrl = await answering({ receipts: [receipt, receipt, receipt, receipt] });
    const { receipts, leftOut } = await run(createGoodsActivities({ erpUrl }).readReceipts, { number: 'PO-1' });
    expect([receipts.length, leftOut]).toEqual([2, 2]);
  });

  it('fails to be retried when the ERP does not answer', async () => {
    const { readReceipts } = createGoodsActivities({ erpUrl: `http://127.0.0.1:${await freePort()}` });
    await expect(run(readReceipts, { number: 'PO-1' })).rejects.toMatchObject({ nonRetryable: false });
  });
});
