/** A hiring with real processes, mail and a browser: the candidate reads a mail, opens its link, and answers. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { aHiring, CANDIDATE_MAIL, CANDIDATE_NAME } from '../support/hiring.ts';
import { startMailCatcher, unfolded, type CaughtMail, type MailCatcher } from '../support/mail-catcher.ts';
import { openApprovers, type Approvers } from '../support/order-approvers.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { kill9, openProduct, type Product } from '../support/product.ts';
import { createTaskClient, resultOf, type TaskClient } from '../support/task-client.ts';

const TEST_MS = 120_000;
const WITHIN_MS = 30_000;
const PHONE = { width: 360, height: 740 };
const YES = { reason: 'Knows the trade.' };

let product: Product;
let front: RoleProcess;
let worker: RoleProcess;
let client: TaskClient;
let approvers: Approvers;
let mails: MailCatcher;

beforeAll(async () => {
  const [postgres, catcher] = await Promise.all([startPostgres(postgresKinds[0]!), startMailCatcher()]);
  mails = catcher;
  product = await openProduct({
    env: {
      DATABASE_URL: await postgres.emptyDatabase(),
      SMTP_URL: mails.url.href,
      MAIL_FROM: 'tasks@example.com',
    },
  });
  front = await product.startFront();
  worker = await product.startWorker();
  client = createTaskClient(front.url);
  approvers = await openApprovers(product);
}, TEST_MS);

async function untilMailed(subject: string): Promise<CaughtMail> {
  return eventually(
    () => mails.caught.find(({ headers }) => headers.includes(`Subject: ${subject}`)) ?? false,
    WITHIN_MS,
  );
}

function linkIn({ body }: CaughtMail): string {
  return /http:\/\/\S+\/links\/[\w-]+/.exec(unfolded(body))![0];
}

async function panelSaysHire(taskId: string): Promise<void> {
  const found = await approvers.asked(taskId, 'engineering');
  for (const name of ['Ina', 'Ivo']) await approvers.decide(found, name, YES);
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds that is serious or worse. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate<AxeResults>('axe.run()');
  const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

describe('a candidate', () => {
  it(
    'accepts an offer on a phone, by the link of a mail, though a worker was killed on the way',
    async () => {
      const taskId = await client.create('hire_candidate', aHiring());
      const application = await untilMailed('Application: Backend engineer');
      expect(application.to).toEqual([CANDIDATE_MAIL]);
      await kill9(worker);
      worker = await product.startWorker();
      await panelSaysHire(taskId);
      await approvers.decide(await approvers.asked(taskId, 'hr'), 'Hanna');
      const mail = await untilMailed('Offer: Backend engineer');
      for (const part of [...mail.headers, mail.body, ...application.headers])
        expect(part).not.toContain(CANDIDATE_NAME);

      const page = await openPage({ viewport: PHONE, runsScripts: true });
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(linkIn(mail));
      await page.getByRole('heading', { name: 'Offer: Backend engineer', level: 1 }).waitFor();
      expect(await page.getByText('72000.00 EUR a year').count()).toBe(1);
      expect(await faultsOf(page)).toEqual([]);
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBe(0);
      await page.getByRole('button', { name: 'Accept the offer' }).click();
      await page.getByText('That stands').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);

      const { structuredContent } = resultOf(await client.until(taskId, ['completed'], WITHIN_MS));
      expect(structuredContent).toMatchObject({ outcome: 'accepted', offer: { offeredTo: CANDIDATE_MAIL } });
      // The other link of the candidate is over with it.
      await page.goto(linkIn(application));
      await page.getByText('no longer open since').waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      for (const { output } of [front, worker]) {
        expect(output()).not.toMatch(new RegExp(`${CANDIDATE_NAME}|${CANDIDATE_MAIL}|/links/`));
      }
    },
    TEST_MS,
  );
});
