/**
 * People decide in a real browser on what an MCP client has asked for. The same pages become the pictures of the documents:
 * SCREENSHOTS=1 npm test -- e2e/inbox
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openPage, type PageChoices } from '../support/browser.ts';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, resultOf, type TaskClient } from '../support/task-client.ts';

const TEST_MS = 90_000;
/** The queue of an open page asks for itself every 10 s. */
const REFRESHED_WITHIN_MS = 30_000;
const MAX_TABS = 40;
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1_000, height: 480 };
const TITLE = 'Order from Nordlicht Bürobedarf GmbH for 60000.00 EUR';

let product: Product;
let front: RoleProcess;
let client: TaskClient;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  product = await openProduct({ env: { DATABASE_URL: await postgres.emptyDatabase() } });
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
  client = createTaskClient(front.url);
}, TEST_MS);

/** Purchasing has to approve it, and then two people in finance. */
function order(overrides: object = {}): Promise<string> {
  const lines = [{ description: 'Milling machine', quantity: '2', unitPrice: '30000.00' }];
  const justification = 'The old machine cannot be repaired any more.';
  return client.create('purchase_order', aCall({ lines, justification, ...overrides }));
}

interface Visitor {
  readonly page: Page;
  /** What the browser had to complain of: errors of scripts, breaches of the policy. */
  readonly complaints: readonly string[];
}

/** Has signed in by the switcher. */
async function visitor(name: string | RegExp, choices: PageChoices = {}): Promise<Visitor> {
  const page = await openPage({ viewport: DESK, ...choices });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${front.url}/inbox`);
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  return { page, complaints };
}

/** By reloading, as somebody without scripts would. */
async function openItem({ page }: Visitor, title = TITLE): Promise<void> {
  await eventually(async () => {
    await page.goto(`${front.url}/inbox`);
    return (await page.getByRole('link', { name: title }).count()) > 0;
  }, REFRESHED_WITHIN_MS);
  await page.getByRole('link', { name: title }).first().click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** As somebody without a mouse comes to a button; it may take no more steps than there are things to step on. */
async function tabTo({ page }: Visitor, name: string): Promise<void> {
  for (let step = 0; step < MAX_TABS; step += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate<string>('document.activeElement.textContent.trim()')) === name) return;
  }
  throw new Error(`The button ${name} is not reached by the keyboard.`);
}

/** A decision that is not confirmed at once has a page that looks again by itself. */
async function expectStatus({ page }: Visitor, words: RegExp): Promise<void> {
  await eventually(async () => {
    expect(await page.getByRole('status').innerText()).toMatch(words);
  }, 20_000);
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds that is serious or worse. The page's policy keeps scripts out: axe comes in by the debugger's door. */
async function faultsOf({ page }: Visitor): Promise<readonly string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>('axe.run()');
  const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** How many pixels of the page stick out to the right. */
async function overflowOf({ page }: Visitor): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

async function picture({ page }: Visitor, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === '1')
    await page.screenshot({ path: `${repositoryRoot}docs/images/${name}.png`, fullPage: true });
}

describe('the inbox', () => {
  it(
    'has an order approved by three people, the first without scripts, and lets nobody approve their own',
    async () => {
      const taskId = await order();
      const purchasing = await visitor('Purchasing 1', { runsScripts: false });
      await openItem(purchasing);
      await purchasing.page.getByRole('button', { name: 'Approve' }).click();
      await expectStatus(purchasing, /^Approved by Purchasing 1 at/);

      const [one, two] = await Promise.all([visitor('Finance 1'), visitor('Finance 2')]);
      await openItem(one);
      await openItem(two);
      for (const text of ['2 × 30000.00 = 60000.00 EUR: Milling machine', 'Approved before by', 'Purchasing 1']) {
        expect(await one.page.getByText(text).count()).toBeGreaterThan(0);
      }
      await picture(one, 'inbox-approval');
      await one.page.getByRole('button', { name: 'Approve' }).click();
      await expectStatus(one, /^1 of 2\. It waits for others\./);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 0 });

      const me = await visitor(/^Me \(/);
      expect(await me.page.getByText('Nothing waits for you here.').count()).toBe(1);
      await me.page.goto(two.page.url());
      expect(await me.page.getByText('somebody else decides').count()).toBe(1);
      expect(await me.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

      // By keyboard alone.
      await tabTo(two, 'Approve');
      await two.page.keyboard.press('Enter');
      await expectStatus(two, /^2 of 2\. Approved by Finance 1 and Finance 2 at/);
      const { structuredContent } = resultOf(await client.until(taskId, ['completed'], 20_000));
      expect(structuredContent).toMatchObject({ approvedBy: ['Purchasing 1', 'Finance 1', 'Finance 2'] });
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
      await two.page.goto(`${front.url}/inbox`);
      expect(await two.page.getByRole('link', { name: TITLE }).count()).toBe(0);
      expect([...purchasing.complaints, ...one.complaints, ...two.complaints]).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'shows a new item on a page that is open already, and whose it is: the first of two decides, the other reads who',
    async () => {
      // The page of the other one must not learn of it by itself: its old form is what is sent.
      const [one, two] = await Promise.all([visitor('IT 1'), visitor('IT 2', { runsScripts: false })]);
      const lines = [{ description: 'Server', quantity: '1', unitPrice: '8000.00' }];
      const taskId = await order({ lines, category: 'it' });
      const title = 'Order from Nordlicht Bürobedarf GmbH for 8000.00 EUR';
      await one.page.getByRole('link', { name: title }).waitFor({ timeout: REFRESHED_WITHIN_MS });
      await order({ lines: [{ description: 'Switch', quantity: '12', unitPrice: '640.00' }], category: 'it' });
      await one.page.getByRole('link', { name: /7680\.00 EUR/ }).waitFor({ timeout: REFRESHED_WITHIN_MS });
      await picture(one, 'inbox-queue');
      await openItem(one, title);
      await openItem(two, title);
      await one.page.getByLabel('Why not').fill('Rent one.');
      const kind = one.page.getByLabel('Kind of no');
      if ((await kind.count()) > 0) await kind.selectOption({ index: 1 });
      await one.page.getByRole('button', { name: 'Reject' }).click();
      await expectStatus(one, /^Rejected by IT 1 at/);
      await two.page.getByRole('button', { name: 'Approve' }).click();
      await expectStatus(two, /^It is decided already\. Rejected by IT 1 at/);
      expect(resultOf(await client.until(taskId, ['completed'], 20_000)).isError).toBe(true);
      expect([...one.complaints, ...two.complaints].filter((text) => !/422|409/.test(text))).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'lets requesters answer what they are asked',
    async () => {
      const taskId = await client.create('purchase_order', anAskingCall());
      await client.until(taskId, ['input_required'], 20_000);
      const me = await visitor(new RegExp(`^Me \\(${userInfo().username}\\)`));
      await me.page.goto(`${front.url}/inbox/tasks/${taskId}`);
      expect(await faultsOf(me)).toEqual([]);
      await me.page.getByLabel(/cost centre/i).selectOption('1100');
      await me.page.getByRole('button', { name: 'Answer' }).click();
      expect(resultOf(await client.until(taskId, ['completed'], 20_000)).structuredContent).toMatchObject({
        costCentre: '1100',
      });
      await me.page.getByText('What came of it').waitFor();
      const download = me.page.waitForEvent('download');
      await me.page.getByRole('link', { name: /\.pdf$/ }).click();
      expect((await download).suggestedFilename()).toMatch(/^purchase-order-PO-\d+\.pdf$/);
    },
    TEST_MS,
  );

  it(
    'has somebody stand in for who is away, until it is taken back',
    async () => {
      const away = await visitor('IT 2', { viewport: PHONE });
      await away.page.getByRole('link', { name: 'Standing in' }).click();
      await away.page.getByLabel('Who', { exact: true }).selectOption('Management 1');
      await away.page.getByLabel('For what').selectOption('it');
      await away.page.getByRole('button', { name: 'Have them stand in' }).click();
      await away.page.getByRole('button', { name: 'Take it back' }).waitFor();
      expect([await faultsOf(away), await overflowOf(away)]).toEqual([[], 0]);

      const taskId = await order({
        lines: [{ description: 'Rack', quantity: '1', unitPrice: '8100.00' }],
        category: 'it',
      });
      const standIn = await visitor('Management 1');
      await openItem(standIn, 'Order from Nordlicht Bürobedarf GmbH for 8100.00 EUR');
      expect(await standIn.page.getByText('You decide for IT 2').count()).toBe(1);
      await standIn.page.getByRole('button', { name: 'Approve' }).click();
      await expectStatus(standIn, /Management 1 for IT 2/);
      expect(resultOf(await client.until(taskId, ['completed'], 20_000)).structuredContent).toMatchObject({
        approvedBy: ['Management 1 for IT 2'],
      });

      await away.page.getByRole('button', { name: 'Take it back' }).click();
      await away.page.getByRole('button', { name: 'Take it back' }).waitFor({ state: 'detached' });
      await standIn.page.goto(`${front.url}/inbox/delegations`);
      expect(await standIn.page.getByRole('cell', { name: 'IT 2' }).count()).toBe(0);
      expect([...away.complaints, ...standIn.complaints]).toEqual([]);
    },
    TEST_MS,
  );
});

describe('its pages', () => {
  it.each([
    ['on a desk', DESK],
    ['on a phone', PHONE],
  ])(
    'are found accessible by axe and stay within the window: %s',
    async (_where, viewport) => {
      await order();
      const page = await openPage({ viewport });
      await page.goto(`${front.url}/inbox`);
      const stranger = { page, complaints: [] };
      expect([await faultsOf(stranger), await overflowOf(stranger)]).toEqual([[], 0]);
      const purchasing = await visitor('Purchasing 2', { viewport });
      await eventually(async () => {
        await purchasing.page.goto(`${front.url}/inbox`);
        return (await purchasing.page.getByRole('link', { name: TITLE }).count()) > 0;
      }, REFRESHED_WITHIN_MS);
      expect([await faultsOf(purchasing), await overflowOf(purchasing)]).toEqual([[], 0]);
      await openItem(purchasing);
      expect([await faultsOf(purchasing), await overflowOf(purchasing)]).toEqual([[], 0]);
      const address = purchasing.page.url();
      await purchasing.page.getByRole('button', { name: 'Approve' }).click();
      await expectStatus(purchasing, /^Approved by Purchasing 2 at/);
      expect([await faultsOf(purchasing), await overflowOf(purchasing)]).toEqual([[], 0]);
      await purchasing.page.goto(address);
      await purchasing.page.getByRole('heading', { name: 'History' }).waitFor();
      expect([await faultsOf(purchasing), await overflowOf(purchasing)]).toEqual([[], 0]);
      await purchasing.page.getByRole('link', { name: 'My tasks' }).click();
      expect([await faultsOf(purchasing), await overflowOf(purchasing)]).toEqual([[], 0]);
    },
    TEST_MS,
  );
});
