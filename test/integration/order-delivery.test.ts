/** What comes after an order is posted: the vendor is told by mail, and the goods come. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startMailCatcher, type CaughtMail, type MailCatcher } from '../support/mail-catcher.ts';
import type { TestErp } from '../support/erp.ts';
import { openOrderBench, PATIENCE_MS, statusesIn, textOf, type OrderBench } from './order-bench.ts';

let bench: OrderBench;
let erp: TestErp;
let mails: MailCatcher;

beforeAll(async () => {
  bench = await openOrderBench();
}, PATIENCE_MS);

beforeEach(async () => {
  [erp, mails] = await Promise.all([bench.erpIn('idempotency-key'), startMailCatcher()]);
  bench.mailBy(mails.url);
});

/** The goods of such a task are waited for until an hour before its deadline. */
const AN_HOUR_MS = 3_600_000;

function structuredOf(task: DetailedTask): JsonObject {
  return task.status === 'completed' ? (task.result.structuredContent ?? {}) : {};
}

function headerOf({ headers }: CaughtMail, name: string): string {
  return headers.filter((line) => line.startsWith(`${name}: `)).join();
}

async function numberOf(taskId: string): Promise<string> {
  return eventually(async () => {
    const found = (await erp.state()).orders.find(({ reference }) => reference.startsWith(taskId));
    return found?.number ?? false;
  }, PATIENCE_MS);
}

async function receive(number: string, reference: string, quantity: string): Promise<void> {
  const body = JSON.stringify({ reference, lines: [{ line: 1, quantity }] });
  const answer = await fetch(`${erp.url}/orders/${number}/receipts`, { method: 'POST', body });
  expect(answer.status).toBe(201);
}

/** A task that waits for the four chairs that it has ordered. */
async function waitingTask(): Promise<{ taskId: string; number: string }> {
  const taskId = await bench.order({ awaitGoodsForDays: 3 }, { maxTtlMs: 10 * 86_400_000 });
  await eventually(
    async () => (await bench.get(taskId)).statusMessage?.includes('waiting for the goods') === true,
    PATIENCE_MS,
  );
  return { taskId, number: await numberOf(taskId) };
}

describe('the mail to the vendor', () => {
  it('goes to the address of the policy, with the PDF that the task keeps', async () => {
    const taskId = await bench.order();
    const task = await bench.until(taskId, 'completed');
    const number = await numberOf(taskId);
    expect(mails.caught).toHaveLength(1);
    const [mail] = mails.caught;
    expect(mail!.to).toEqual(['orders@nordlicht.example']);
    expect(headerOf(mail!, 'Subject')).toBe(`Subject: Purchase order ${number}`);
    expect(headerOf(mail!, 'Message-ID')).toBe(`Message-ID: <order.${taskId}@buyer.example>`);
    const file = await bench.blobs.read({ caller: bench.caller.principal, taskId }, `purchase-order-${number}.pdf`);
    expect(mail!.body.replaceAll('\r\n', '')).toContain(Buffer.from(file!.bytes).toString('base64'));
    expect(structuredOf(task)).toMatchObject({ status: 'posted', vendorMail: 'sent' });
    expect(structuredOf(task)).not.toHaveProperty('goods');
    expect(textOf(task)).toMatch(/\nThe vendor was told by mail\.$/);
  });

  it.each([
    ['no address of the vendor is known', { vendor: 'Anybody Ltd' }, true, 'the purchase policy has no address for it'],
    ['there is no mail server', {}, false, 'no mail server is set up'],
  ])('is not sent when %s, and the result says so', async (_, overrides, hasServer, words) => {
    if (!hasServer) bench.mailBy(undefined);
    const task = await bench.until(await bench.order(overrides), 'completed');
    expect(structuredOf(task)).toMatchObject({ status: 'posted', vendorMail: 'not_sent' });
    expect(textOf(task)).toContain(`The vendor was not told by mail: ${words}.`);
    expect(mails.caught).toEqual([]);
  });

  it('is given up while the mail server is away, and the order stands', async () => {
    bench.mailBy(new URL(`smtp://127.0.0.1:${await freePort()}`), 2_000);
    const task = await bench.until(await bench.order(), 'completed');
    expect(structuredOf(task)).toMatchObject({ status: 'posted', vendorMail: 'not_sent' });
    expect(textOf(task)).toContain('The vendor was not told: the mail server could not be reached.');
    expect(await statusesIn(erp)).toEqual(['posted']);
  });

  it('is given up at once when the address is refused', async () => {
    mails.unknown.add('orders@nordlicht.example');
    const task = await bench.until(await bench.order(), 'completed');
    expect(textOf(task)).toContain('the mail server refused the mail for good');
    expect(await statusesIn(erp)).toEqual(['posted']);
  });

  it('goes again under the same Message-ID when nobody said whether it was taken', async () => {
    mails.troubles.push('busy', 'cut');
    const task = await bench.until(await bench.order(), 'completed');
    expect(structuredOf(task)).toMatchObject({ vendorMail: 'sent' });
    const ids = mails.caught.map((mail) => headerOf(mail, 'Message-ID'));
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await statusesIn(erp)).toEqual(['posted']);
  });

  it('is followed by a cancellation when the task is cancelled while it is on its way', async () => {
    mails.troubles.push('hold');
    const taskId = await bench.order();
    await eventually(() => mails.heldCount() === 1, PATIENCE_MS);
    await bench.cancel(taskId);
    expect(await statusesIn(erp)).toEqual(['posted']);
    mails.release();
    await bench.until(taskId, 'cancelled');
    expect(await statusesIn(erp)).toEqual(['voided']);
    const [order, cancellation] = mails.caught;
    expect(headerOf(cancellation!, 'Subject')).toBe(`Subject: Cancelled: purchase order ${await numberOf(taskId)}`);
    expect(headerOf(cancellation!, 'In-Reply-To')).toContain(
      headerOf(order!, 'Message-ID').replace('Message-ID: ', ''),
    );
  });

  it('is not followed by one when the order is cancelled before it', async () => {
    await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
    const taskId = await bench.order();
    await erp.untilHeld('orders-after-accept');
    await bench.cancel(taskId);
    await erp.release();
    await bench.until(taskId, 'cancelled');
    expect(mails.caught).toEqual([]);
    expect(await statusesIn(erp)).toEqual(['voided']);
  });

  it('is not said to be taken back when the cancellation cannot be sent', async () => {
    const { taskId, number } = await waitingTask();
    mails.unknown.add('orders@nordlicht.example');
    await bench.cancel(taskId);
    const task = await bench.until(taskId, 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
    expect(textOf(task)).toContain(`Order ${number} is voided in the ERP, but it is not sure that Nordlicht`);
    expect(await statusesIn(erp)).toEqual(['voided']);
  });
});

describe('the goods', () => {
  it('are waited for until all have come, and their receipts are in the result', async () => {
    const { taskId, number } = await waitingTask();
    expect((await bench.get(taskId)).statusMessage).toMatch(
      new RegExp(`^Order ${number} is posted; waiting for the goods, 0 of 4 units received, until \\d{4}-`),
    );
    await receive(number, 'DN-1', '3');
    await eventually(
      async () => (await bench.get(taskId)).statusMessage?.includes('3 of 4 units') === true,
      PATIENCE_MS,
    );
    await receive(number, 'DN-2', '1');
    const task = await bench.until(taskId, 'completed');
    expect(textOf(task)).toMatch(/\nAll goods have come: 4 of 4 units received\.$/);
    expect(structuredOf(task)).toMatchObject({
      status: 'posted',
      goods: {
        status: 'complete',
        ordered: '4',
        received: '4',
        receipts: [{ number: 'GR-500001', lines: [{ line: 1, quantity: '3' }] }, { number: 'GR-500002' }],
      },
    });
    expect(bench.effectsOf(taskId)).toEqual([
      ['Post the order to the ERP', number],
      ['Mail the order to the vendor', `<order.${taskId}@buyer.example>`],
      ['Read the goods receipts', 'GR-500001, GR-500002'],
    ]);
  });

  it('are told as they are when the time is over', async () => {
    const ttlMs = AN_HOUR_MS + 20_000;
    const taskId = await bench.order({ awaitGoodsForDays: 1 }, { ttlMs, maxTtlMs: ttlMs });
    await receive(await numberOf(taskId), 'DN-1', '3');
    const task = await bench.until(taskId, 'completed');
    expect(task).not.toHaveProperty('result.isError');
    expect(textOf(task)).toMatch(/\nNot all goods came in the time that was set: 3 of 4 units received\.$/);
    expect(structuredOf(task)).toMatchObject({ goods: { status: 'incomplete', receipts: [{ number: 'GR-500001' }] } });
    expect(await statusesIn(erp)).toEqual(['posted']);
  });

  it('go on to be waited for while the ERP is away', async () => {
    const { taskId, number } = await waitingTask();
    await erp.arm({ at: 'receipts-read', kind: 'drop', times: 1 });
    await erp.arm({ at: 'receipts-read', kind: 'answer', status: 500, times: 1 });
    await receive(number, 'DN-1', '4');
    expect(structuredOf(await bench.until(taskId, 'completed'))).toMatchObject({ goods: { status: 'complete' } });
  });

  it('are no longer waited for when somebody voids the order in the ERP', async () => {
    const { taskId, number } = await waitingTask();
    await fetch(`${erp.url}/orders/${number}/void`, { method: 'POST' });
    const task = await bench.until(taskId, 'completed');
    expect(structuredOf(task)).toMatchObject({ status: 'voided', goods: { status: 'voided', receipts: [] } });
    expect(textOf(task)).toContain('the order was voided in the ERP meanwhile');
  });

  it('that have partly come keep an order from being voided by a cancel, and its vendor from being told so', async () => {
    const { taskId, number } = await waitingTask();
    await receive(number, 'DN-1', '1');
    await bench.cancel(taskId);
    const task = await bench.until(taskId, 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
    expect(textOf(task)).toBe(
      `The task was ended, but what it had done could not be undone: Order ${number} stands: the ERP does not void it ` +
        'any more, as it does when goods have come. Settle a return with the purchasing department.',
    );
    expect(await statusesIn(erp)).toEqual(['posted']);
    expect(mails.caught).toHaveLength(1);
  });

  it('that have not come leave a cancel free to void the order and to tell the vendor', async () => {
    const { taskId } = await waitingTask();
    await bench.cancel(taskId);
    await bench.until(taskId, 'cancelled');
    expect(await statusesIn(erp)).toEqual(['voided']);
    expect(mails.caught.map((mail) => headerOf(mail, 'Message-ID'))).toEqual([
      `Message-ID: <order.${taskId}@buyer.example>`,
      `Message-ID: <cancelled.${taskId}@buyer.example>`,
    ]);
    expect(bench.effectsOf(taskId).map(([words]) => words)).toEqual([
      'Post the order to the ERP',
      'Mail the order to the vendor',
      'Mail the order to the vendor, undone',
      'Post the order to the ERP, undone',
    ]);
  });
});
