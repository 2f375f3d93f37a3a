/** Pages that stay open, at one front, and what people do at another. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { patiently } from '../support/patience.js';
import { eventually } from '../support/eventually.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, openProduct, type Product } from '../support/product.ts';
import { createTaskClient, type TaskClient } from '../support/task-client.ts';

const TEST_MS = 120_000;
/** What a stream brings: less than the ten seconds after which a page without one looks by itself. */
const SOON_MS = patiently(3_000);
const TITLE = 'Order from Nordlicht Bürobedarf GmbH for 8000.00 EUR';

let product: Product;
let here: RoleProcess;
let there: RoleProcess;
let client: TaskClient;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  product = await openProduct({ env: { DATABASE_URL: await postgres.emptyDatabase() } });
  here = await product.startFront();
  there = await product.startFront();
  await product.startWorker();
  client = createTaskClient(here.url);
}, TEST_MS);

/** Somebody in IT has to approve it. */
function order(): Promise<string> {
  const lines = [{ description: 'Server', quantity: '1', unitPrice: '8000.00' }];
  return client.create('purchase_order', aCall({ lines, category: 'it', justification: 'The old server is broken.' }));
}

async function queueOf(name: string, front: RoleProcess): Promise<Page> {
  const page = await openPage();
  await page.goto(`${front.url}/inbox`);
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  return page;
}

async function open(page: Page): Promise<void> {
  await page.getByRole('link', { name: TITLE }).first().click();
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
}

describe('an open page', () => {
  it(
    'shows within seconds what happens by way of another front, and leaves alone what somebody types',
    async () => {
      const [one, two] = [await queueOf('IT 1', here), await queueOf('IT 2', there)];
      const complaints: string[] = [];
      two.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      two.on('pageerror', (error) => complaints.push(error.message));
      const watcher = await two.context().newPage();
      await watcher.goto(`${there.url}/inbox`);

      await order();
      await one.getByRole('link', { name: TITLE }).waitFor({ timeout: 20_000 });
      await watcher.getByRole('link', { name: TITLE }).waitFor({ timeout: SOON_MS });
      await two.bringToFront();
      await two.getByRole('link', { name: TITLE }).waitFor({ timeout: SOON_MS });
      await open(one);
      await open(two);
      await two.getByLabel('Why not').fill('Rent one.');
      await one.getByRole('button', { name: 'Say that I look at it' }).click();
      await two.getByText('IT 1 looks at it. You may still decide.').waitFor({ timeout: SOON_MS });
      expect(await two.getByLabel('Why not').inputValue()).toBe('Rent one.');

      await one.getByRole('button', { name: 'Approve' }).click();
      expect(await one.getByRole('status').innerText()).toMatch(/^Approved by IT 1 at/);
      await two.getByText(/Approved by IT 1 at/).waitFor({ timeout: SOON_MS });
      expect(await two.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await watcher.bringToFront();
      await watcher.getByText('Nothing waits for you here.').waitFor({ timeout: SOON_MS });
      expect(complaints).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'goes on with another front of the same address when its own one stops',
    async () => {
      const page = await queueOf('IT 1', there);
      const port = String(there.port);
      await there.end();
      there = await product.startFront({ PORT: port });
      const taskId = await order();
      // Its stream is tried again after ten seconds at most.
      await page.getByRole('link', { name: TITLE }).waitFor({ timeout: patiently(15_000) });
      await eventually(async () => (await client.get(taskId)).status === 'working');
    },
    TEST_MS,
  );
});
