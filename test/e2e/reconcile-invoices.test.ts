/**
 * The demo's invoices from upload to ERP, with real processes and real HTTP: read from paper, matched, asked about, approved by
 * a person in the inbox, and each in the ERP once, also when the worker is killed in the middle of it.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { invoiceFiles } from '../../demo/invoices/invoice-files.ts';
import { seedErp } from '../../demo/invoices/seed.ts';
import type { InputRequests, JsonObject } from '../../protocol/task.ts';
import { openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { kill9, openProduct, type Product } from '../support/product.ts';
import { uploadFile } from '../support/upload-file.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../support/task-client.ts';

const TEST_MS = 240_000;
const PATIENCE_MS = 120_000;

interface Expected {
  readonly invoice: string;
  readonly route: string;
}
const expected = JSON.parse(
  readFileSync(new URL('../../demo/invoices/expected.json', import.meta.url), 'utf8'),
) as readonly Expected[];

let product: Product;
let front: RoleProcess;
let worker: RoleProcess;
let client: TaskClient;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  product = await openProduct({ env: { DATABASE_URL: await postgres.emptyDatabase() } });
  [front, worker] = await Promise.all([product.startFront(), product.startWorker()]);
  client = createTaskClient(front.url);
  await seedErp(product.erp.url);
}, TEST_MS);

/** Accepts what differs, and holds what names no order. */
function answersTo(questions: InputRequests): JsonObject {
  const answers = Object.entries(questions).map(([key, { params }]) => {
    const decision = JSON.stringify(params).includes('"orderNumber"') ? 'hold' : 'accept';
    return [key, { action: 'accept', content: { decision } }] as const;
  });
  return Object.fromEntries(answers);
}

describe('reconcile_invoices', () => {
  it(
    'posts each accepted invoice of the demo once, over a killed worker, and reports every line',
    async () => {
      const { bytes } = (await invoiceFiles()).at(-1)!;
      const files = [await uploadFile(front.url, 'invoices.zip', 'application/zip', bytes)];
      const taskId = await client.create('reconcile_invoices', { files });
      const asked = await client.until(taskId, ['input_required'], PATIENCE_MS);
      const questions = questionsOf(asked);
      expect(Object.keys(questions)).toHaveLength(expected.filter(({ route }) => route === 'ask').length);
      // In any order: the last one first.
      const answers = Object.entries(answersTo(questions)).reverse();
      for (const [key, reply] of answers) await client.answer(taskId, { [key]: reply });

      const page = await openPage({});
      await page.goto(`${front.url}/inbox`);
      await page.getByRole('button', { name: 'Finance 1' }).click();
      const title = `${expected.filter(({ route }) => route === 'approve').length} invoices that differ from order or receipt`;
      await eventually(async () => {
        await page.goto(`${front.url}/inbox`);
        return (await page.getByRole('link', { name: title }).count()) > 0;
      }, PATIENCE_MS);
      await page.getByRole('link', { name: title }).click();
      expect(await page.getByText('Price 209850 JPY, ordered at 209000 JPY').count()).toBe(1);
      expect((await product.erp.state()).invoices).toHaveLength(2);

      await product.erp.arm({ at: 'invoices-after-accept', kind: 'hold' });
      await page.getByRole('button', { name: 'Approve' }).click();
      await product.erp.untilHeld('invoices-after-accept');
      await kill9(worker);
      worker = await product.startWorker();
      await product.erp.release();

      const result = resultOf(await client.until(taskId, ['completed'], PATIENCE_MS));
      const { invoices } = await product.erp.state();
      const ours = invoices.filter(({ reference }) => reference.startsWith(`${taskId}:`));
      // Three that are asked about name no order that is there.
      const lost = ['RE-2026-1063', 'DF260455', 'DF260470'];
      const wanted = expected.filter(({ invoice, route }) => route !== 'refuse' && !lost.includes(invoice));
      expect(ours.map(({ vendorInvoice }) => vendorInvoice).sort()).toEqual(
        wanted.map(({ invoice }) => invoice).sort(),
      );
      expect(ours.every(({ status }) => status === 'posted')).toBe(true);
      expect(textOf(result)).toMatch(/^40 invoices with \d+ lines: 31 posted, 3 held, 6 not acceptable by anybody\.$/);
      expect(result.structuredContent).toMatchObject({ posted: 31, notPosted: 9, approvedBy: ['Finance 1'] });

      const csv = await fileOf(taskId, 'reconciliation.csv');
      expect(csv.split('\r\n').filter((line) => line.includes(',posted,')).length).toBeGreaterThan(200);
      expect(await fileOf(taskId, 'reconciliation.pdf')).toMatch(/^%PDF-/);
    },
    TEST_MS,
  );

  it(
    'finds every invoice posted when the same files come again, and posts none of them twice',
    async () => {
      // That of the test before ended with it.
      await product.startWorker();
      const csv = (await invoiceFiles()).find(({ name }) => name === 'invoices-comma.csv')!;
      const files = [await uploadFile(front.url, 'invoices.csv', 'text/csv', csv.bytes)];
      const before = (await product.erp.state()).invoices.length;
      const taskId = await client.create('reconcile_invoices', { files: [...files, ...files] });
      const result = resultOf(await client.until(taskId, ['completed'], PATIENCE_MS));
      expect(textOf(result)).toMatch(/^4 invoices with 14 lines: 4 not acceptable by anybody\.$/);
      expect((await product.erp.state()).invoices).toHaveLength(before);
    },
    TEST_MS,
  );
});

async function fileOf(taskId: string, name: string): Promise<string> {
  const uri = `task://${taskId}/${name}`;
  const { contents } = (await client.request({ method: 'resources/read', params: { uri } })) as unknown as {
    contents: readonly { text?: string; blob?: string }[];
  };
  const [content] = contents;
  return content?.text ?? Buffer.from(content?.blob ?? '', 'base64').toString('latin1');
}
