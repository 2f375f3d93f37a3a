/** Workers that are killed on the way from the order to its vendor and its goods: one order, one mail as far as SMTP can tell. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { startMailCatcher, type MailCatcher } from '../support/mail-catcher.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { receiveGoods } from '../support/receive-goods.ts';
import { createTaskClient, resultOf, type TaskClient } from '../support/task-client.ts';

const ENDS_WITHIN_MS = 30_000;
const TEST_MS = 90_000;
const ONE = { live: 1, voided: 0 };

let product: Product;
let client: TaskClient;
let mails: MailCatcher;
let worker: RoleProcess;

beforeAll(async () => {
  product = await openProduct();
  client = createTaskClient((await product.startFront()).url);
}, TEST_MS);

beforeEach(async () => {
  mails = await startMailCatcher();
  worker = await startWorker();
}, TEST_MS);

function startWorker(): Promise<RoleProcess> {
  return product.startWorker({ SMTP_URL: mails.url.href, MAIL_FROM: 'purchasing@buyer.example' });
}

async function replaceWorker(): Promise<void> {
  await kill9(worker);
  worker = await startWorker();
}

function messageIds(): readonly string[] {
  return mails.caught.flatMap(({ headers }) => headers.filter((line) => line.startsWith('Message-ID: ')));
}

async function ended(taskId: string): Promise<ReturnType<typeof resultOf>> {
  return resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
}

describe('a worker that is killed', () => {
  it(
    'between the post and the mail leaves one order and one mail',
    async () => {
      await product.erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const taskId = await client.create('purchase_order', aCall());
      await product.erp.untilHeld('orders-after-accept');
      await replaceWorker();
      expect(mails.caught).toEqual([]);
      await product.erp.release();
      expect((await ended(taskId)).structuredContent).toMatchObject({ vendorMail: 'sent' });
      expect(messageIds()).toEqual([`Message-ID: <order.${taskId}@buyer.example>`]);
      expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
    },
    TEST_MS,
  );

  it(
    'after the mail server has taken the mail and before its reply sends the same one again',
    async () => {
      mails.troubles.push('hold');
      const taskId = await client.create('purchase_order', aCall());
      await eventually(() => mails.heldCount() === 1, ENDS_WITHIN_MS);
      await replaceWorker();
      expect((await ended(taskId)).structuredContent).toMatchObject({ vendorMail: 'sent' });
      const id = `Message-ID: <order.${taskId}@buyer.example>`;
      expect(messageIds()).toEqual([id, id]);
      expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
    },
    TEST_MS,
  );

  it(
    'while goods are awaited leaves the next one to see them come',
    async () => {
      const taskId = await client.create('purchase_order', aCall({ awaitGoodsForDays: 5 }));
      const sees = (words: string): Promise<unknown> =>
        eventually(async () => (await client.get(taskId)).statusMessage?.includes(words) === true, ENDS_WITHIN_MS);
      await sees('waiting for the goods, 0 of 4 units');
      await receiveGoods(product, taskId, '3');
      await sees('3 of 4 units');
      await kill9(worker);
      await receiveGoods(product, taskId, '1');
      worker = await startWorker();
      expect((await ended(taskId)).structuredContent).toMatchObject({ goods: { status: 'complete', received: '4' } });
      expect(messageIds()).toHaveLength(1);
      expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
    },
    TEST_MS,
  );
});
