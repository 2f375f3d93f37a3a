import { describe, expect, it } from '@jest/globals';
import { appendFile } from 'node:fs/promises';
import { askErp } from '../../support/ask-erp.ts';
import { eventually } from '../../support/eventually.ts';
import { openErp } from '../../support/erp-in-process.ts';
import { startErp } from '../../support/erp.ts';
import { anOrder } from '../../support/order.ts';
import { patiently } from '../../support/patience.js';

interface Answer {
  readonly status: number;
  readonly body: { number?: string; status?: string; mode?: string; orders?: readonly { number: string }[] };
}

const ask = askErp as (...request: Parameters<typeof askErp>) => Promise<Answer>;

describe('the demo ERP', () => {
  it('says its mode', async () => {
    const erp = await startErp({ mode: 'unique-reference' });
    expect((await ask(erp, 'GET', '/capabilities')).body).toEqual({ mode: 'unique-reference' });
  });

  it('gives the first outcome to a repeated idempotency key, also after a void', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    const first = await ask(erp, 'POST', '/orders', anOrder(), 'k');
    const again = await ask(erp, 'POST', '/orders', anOrder(), 'k');
    await ask(erp, 'POST', `/orders/${first.body.number!}/void`);
    const late = await ask(erp, 'POST', '/orders', anOrder(), 'k');
    expect([again.body.number, late.body.number]).toEqual([first.body.number, first.body.number]);
    expect(late.body.status).toBe('voided');
    expect((await erp.state()).countByReference).toEqual({ 'task-1:post-order': 1 });
  });

  it('refuses a taken reference and names the order that has it', async () => {
    const erp = await openErp({ mode: 'unique-reference' });
    const first = await ask(erp, 'POST', '/orders', anOrder());
    const again = await ask(erp, 'POST', '/orders', anOrder());
    expect(again).toMatchObject({ status: 409, body: { number: first.body.number } });
  });

  it('makes a second order of a repeated post, and shows orders late, when it can only be searched', async () => {
    const erp = await openErp({ mode: 'search-only' });
    const search = `/orders?reference=${encodeURIComponent(anOrder().reference)}`;
    await ask(erp, 'POST', '/orders', anOrder(), 'k');
    const acceptedAt = performance.now();
    await ask(erp, 'POST', '/orders', anOrder(), 'k');
    expect((await ask(erp, 'GET', search)).body.orders).toEqual([]);
    await eventually(async () => (await ask(erp, 'GET', search)).body.orders?.length === 2, 6_000);
    expect(performance.now() - acceptedAt).toBeGreaterThan(2_900);
  });

  it('keeps every accepted order, key and void over kill -9 and a line that the crash cut short', async () => {
    const erp = await startErp({ mode: 'idempotency-key' });
    const first = await ask(erp, 'POST', '/orders', anOrder(), 'k');
    const draft = { ...anOrder({ reference: 'task-2:post-order' }), status: 'draft' };
    const other = await ask(erp, 'POST', '/orders', draft, 'k2');
    await ask(erp, 'POST', `/orders/${first.body.number!}/void`);
    erp.signal('SIGKILL');
    await erp.exited;
    await appendFile(erp.dataFile, '{"type":"accepted","order":{"num');

    const restarted = await startErp({ mode: 'idempotency-key', dataFile: erp.dataFile });
    expect((await ask(restarted, 'POST', '/orders', anOrder(), 'k')).body).toMatchObject({
      number: first.body.number,
      status: 'voided',
    });
    expect((await ask(restarted, 'GET', `/orders/${other.body.number!}`)).body.status).toBe('draft');
    const third = await ask(restarted, 'POST', '/orders', anOrder({ reference: 'task-3:post-order' }), 'k3');
    restarted.signal('SIGKILL');
    await restarted.exited;

    const again = await startErp({ mode: 'idempotency-key', dataFile: erp.dataFile });
    expect((await ask(again, 'GET', `/orders/${third.body.number!}`)).status).toBe(200);
  });

  it('voids an order as often as it is asked to', async () => {
    const erp = await openErp({ mode: 'search-only' });
    const { body } = await ask(erp, 'POST', '/orders', anOrder());
    const voids = [
      await ask(erp, 'POST', `/orders/${body.number!}/void`),
      await ask(erp, 'POST', `/orders/${body.number!}/void`),
    ];
    expect(voids.map(({ status, body: order }) => [status, order.status])).toEqual([
      [200, 'voided'],
      [200, 'voided'],
    ]);
    expect((await ask(erp, 'POST', '/orders/PO-1/void')).status).toBe(404);
  });

  it('accepts a held order after its sender has hung up', async () => {
    const erp = await openErp({ mode: 'unique-reference' });
    await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
    const sender = new AbortController();
    const sent = fetch(`${erp.url}/orders`, { method: 'POST', body: JSON.stringify(anOrder()), signal: sender.signal });
    const ending = sent.then(() => 'answered').catch(() => 'cut');
    await erp.untilHeld('orders-before-accept');
    sender.abort();
    expect(await ending).toBe('cut');
    await erp.release('orders-before-accept');
    await eventually(async () => (await erp.state()).orders.length === 1);
  });

  it('ends at once and cleanly on SIGTERM while a request is held', async () => {
    const erp = await startErp({ mode: 'idempotency-key' });
    await erp.arm({ at: 'capabilities', kind: 'hold' });
    const ending = fetch(`${erp.url}/capabilities`)
      .then(() => 'answered')
      .catch(() => 'cut');
    await erp.untilHeld('capabilities');
    const startedAt = performance.now();
    expect(await erp.end()).toEqual({ code: 0, signal: null });
    expect(await ending).toBe('cut');
    expect(performance.now() - startedAt).toBeLessThan(patiently(2_000));
  });

  it('refuses a body that is no order, and says what is wrong', async () => {
    const erp = await openErp({ mode: 'idempotency-key' });
    expect((await ask(erp, 'POST', '/orders', anOrder({ total: '1e3' }))).status).toBe(400);
    expect((await ask(erp, 'POST', '/orders', [])).status).toBe(400);
    expect((await erp.state()).orders).toEqual([]);
  });
});
