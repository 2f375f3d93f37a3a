/** Worker and front are killed between every two steps of an order: no vote lost, one order at the ERP, one mail, one audit trail. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { approve, fromQueue } from '../support/inbox-decisions.ts';
import { InboxVisitor } from '../support/inbox-visitor.ts';
import { openPair, throughKill } from '../support/killed-pair.ts';
import { startMailCatcher, type MailCatcher } from '../support/mail-catcher.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { aCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { receiveGoods } from '../support/receive-goods.ts';
import { createTaskClient, resultOf } from '../support/task-client.ts';
import { toldActs } from '../support/told-acts.ts';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
const TITLE = 'Order from Nordlicht Bürobedarf GmbH for 60000.00 EUR';
const [NONE, ONE] = [
  { live: 0, voided: 0 },
  { live: 1, voided: 0 },
];

let databaseUrl: string;
let product: Product;
let mails: MailCatcher;

beforeAll(async () => {
  const [postgres, catcher] = await Promise.all([startPostgres(postgresKinds[0]!), startMailCatcher()]);
  mails = catcher;
  databaseUrl = await postgres.emptyDatabase();
  product = await openProduct({
    env: { DATABASE_URL: databaseUrl, SMTP_URL: mails.url.href, MAIL_FROM: 'purchasing@buyer.example' },
  });
}, TEST_MS);

/** A browser of its own, in which `name` has signed in and has opened the order. */
async function browserOf(name: string, origin: string): Promise<Page> {
  const page = await openPage();
  page.setDefaultTimeout(STEP_MS);
  await page.goto(`${origin}/inbox`);
  await page.getByRole('button', { name }).click();
  await page.getByRole('link', { name: TITLE }).click();
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  return page;
}

describe('an order whose worker and front are killed between every two steps', () => {
  it(
    'is approved by three people, two of them in browsers that stay open, posted once, mailed once, and received',
    async () => {
      const { erp } = product;
      const pair = await openPair(product);
      const client = createTaskClient(pair.origin);
      const args = aCall({
        lines: [{ description: 'Milling machine', quantity: '2', unitPrice: '30000.00' }],
        justification: 'The old machine cannot be repaired any more.',
        awaitGoodsForDays: 5,
      });
      const call = (): Promise<string> => client.create('purchase_order', args, { idempotencyKey: 'machine' });
      const taskId = await throughKill(pair.replace, call, STEP_MS);

      const paula = new InboxVisitor(pair.origin);
      await paula.signInAs('purchasing-1');
      const page = await fromQueue(paula, TITLE, STEP_MS);
      const said = await throughKill(pair.replace, () => approve(paula, page), STEP_MS);
      expect(said).toContain('Approved by Purchasing 1 at');

      await eventually(
        async () => (await client.get(taskId)).statusMessage?.startsWith('Waiting for finance') === true,
        STEP_MS,
      );
      const [fred, fiona] = [await browserOf('Finance 1', pair.origin), await browserOf('Finance 2', pair.origin)];
      await pair.replace();
      await fred.getByRole('button', { name: 'Approve' }).click();
      await fred.getByText('1 of 2. It waits for others.').waitFor();
      // Hers has lost its front twice, and has heard of his decision.
      await pair.replace();
      await fiona.getByText('Finance 1 approved at').waitFor();
      expect(await ordersOf(erp, taskId)).toEqual(NONE);
      await erp.arm({ at: 'orders-before-accept', kind: 'hold', times: 1 });
      await erp.arm({ at: 'orders-after-accept', kind: 'hold', times: 1 });
      await fiona.getByRole('button', { name: 'Approve' }).click();
      await fiona.getByText(/Approved by Finance 1 and Finance 2 at/).waitFor();

      await erp.untilHeld('orders-before-accept');
      expect(await ordersOf(erp, taskId)).toEqual(NONE);
      await pair.replace();
      await erp.untilHeld('orders-after-accept');
      expect([await ordersOf(erp, taskId), mails.caught]).toEqual([ONE, []]);
      await pair.replace();
      const sees = async (words: string): Promise<void> => {
        await eventually(async () => (await client.get(taskId)).statusMessage?.includes(words) === true, STEP_MS);
      };
      await sees('waiting for the goods, 0 of 2 units');
      // What the workers that are dead had sent is taken last.
      await erp.release();
      await eventually(async () => Object.values((await erp.state()).held).every((count) => count === 0));
      await pair.replace();
      await receiveGoods(product, taskId, '1');
      await sees('1 of 2 units');
      await pair.replace();
      await receiveGoods(product, taskId, '1');
      const result = resultOf(await client.until(taskId, ['completed'], STEP_MS));
      expect(result.structuredContent).toMatchObject({
        approvedBy: ['Purchasing 1', 'Finance 1', 'Finance 2'],
        vendorMail: 'sent',
        goods: { status: 'complete', received: '2' },
      });
      await pair.replaceFront();
      expect(resultOf(await client.get(taskId))).toEqual(result);
      expect(await ordersOf(erp, taskId)).toEqual(ONE);
      expect(mails.caught.map(({ to }) => to)).toEqual([['orders@nordlicht.example']]);
      expect(await toldActs(databaseUrl, taskId)).toEqual([
        'created',
        'approval_requested',
        'voted',
        'approval_decided',
        'approval_requested',
        'voted',
        'voted',
        'approval_decided',
        // The order, the mail, and the wait for the goods.
        'effect',
        'effect',
        'effect',
        'ended',
      ]);
    },
    TEST_MS,
  );
});
