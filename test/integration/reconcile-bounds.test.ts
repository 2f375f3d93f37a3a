/** `reconcile_invoices` at its bounds: as many invoices, lines and questions as a call takes, and one more. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ReadInvoice } from '../../activities/invoices/invoice.ts';
import { readInvoices } from '../../activities/invoices/read-invoices.ts';
import { zipOf } from '../../demo/invoices/zip.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { anInvoiceLine, anInvoiceOf } from '../support/an-invoice.ts';
import { decide, decisionOn, REJECTION, waitForApproval } from '../support/approver.ts';
import { openErp, type OpenErp } from '../support/erp-in-process.ts';
import { eventually } from '../support/eventually.ts';
import { invoiceCsv } from '../support/invoice-csv.ts';
import { accept, openKeys } from '../support/task-bench.ts';
import { seedOrder } from '../support/seed-order.ts';
import { openInvoiceBench, type InvoiceBench } from './invoice-bench.ts';
import { LONG_LIVED, PATIENCE_MS, textOf } from './order-bench.ts';

const TEST_MS = 90_000;
const MAX_INVOICES = 500;
const MAX_LINES = 5_000;
const LINES_EACH = MAX_LINES / MAX_INVOICES;
/** Where Temporal suggests to continue as new: a run that stays below needs no second one. */
const SUGGESTED_EVENTS = 4_096;
const SUGGESTED_BYTES = 4 * 1024 * 1024;
const ORDERS = 20;

let bench: InvoiceBench;
beforeAll(async () => {
  bench = await openInvoiceBench(readInvoices);
}, PATIENCE_MS);

interface Structured {
  readonly posted: number;
  readonly outcomes: readonly { outcome: string; note?: string }[];
}

function structuredOf(task: DetailedTask): Structured {
  if (task.status !== 'completed') throw new Error(`It is ${task.status}.`);
  return task.result.structuredContent as unknown as Structured;
}

/** `440 posted, 60 rejected`, in the order of the first of each. */
function countsOf(task: DetailedTask): string {
  const counts = new Map<string, number>();
  for (const { outcome } of structuredOf(task).outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}

async function erpWithOrders(): Promise<OpenErp> {
  const erp = await openErp({ mode: 'idempotency-key' });
  bench.goTo(erp.url);
  const line = { description: 'Office chair', quantity: '9999', unitPrice: '10.00', amount: '99990.00' };
  for (let order = 0; order < ORDERS; order += 1) {
    await seedOrder(erp, `PO-44${String(order).padStart(4, '0')}`, '9999', { lines: [line], total: '99990.00' });
  }
  return erp;
}

/** For one chair a line. */
function invoices(count: number, lineCount: number, unitPriceOf: (place: number) => string): ReadInvoice[] {
  return Array.from({ length: count }, (_, index) => {
    const unitPrice = unitPriceOf(index + 1);
    const { sku: _sku, ...line } = anInvoiceLine({ quantity: '1', unitPrice, amount: unitPrice });
    const orderNumber = `PO-44${String(index % ORDERS).padStart(4, '0')}`;
    return anInvoiceOf(
      Array.from({ length: lineCount }, () => line),
      { number: `RE-${index + 1}`, orderNumber },
    );
  });
}

function zipped(all: readonly ReadInvoice[]): Buffer {
  return zipOf(all.map((one) => ({ name: `${one.number}.csv`, bytes: Buffer.from(invoiceCsv([one])) })));
}

async function call(...files: readonly string[]): Promise<string> {
  return bench.create('reconcile_invoices', { files: [...files] }, LONG_LIVED);
}

/** Answers all that is asked, one answer at a time, until nothing is asked any more. */
async function answerAll(taskId: string, decision: string): Promise<number> {
  const answered = new Set<string>();
  for (;;) {
    const task = await bench.get(taskId);
    if (task.status === 'input_required') {
      for (const key of openKeys(task).filter((one) => !answered.has(one))) {
        await bench.store.deliver(bench.caller, taskId, { [key]: accept({ decision }) });
        answered.add(key);
      }
    }
    if (answered.size >= 60 || (task.status !== 'working' && task.status !== 'input_required')) return answered.size;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answer(task: DetailedTask, place: number, content: JsonObject): Promise<void> {
  const [key = ''] = openKeys(task, `invoice-${place}-`);
  await bench.store.deliver(bench.caller, task.taskId, { [key]: accept(content) });
}

async function expectOneRun(taskId: string): Promise<void> {
  const description = await bench.service.client.getHandle(bench.workflowId(taskId)).describe();
  const { historyLength, historySize = 0 } = description;
  process.stdout.write(`history: ${String(historyLength)} events, ${String(historySize)} bytes\n`);
  expect(historyLength).toBeLessThan(SUGGESTED_EVENTS / 2);
  expect(historySize).toBeLessThan(SUGGESTED_BYTES);
}

describe('reconcile_invoices', () => {
  it(
    'posts 500 invoices with 5,000 lines of one ZIP',
    async () => {
      const erp = await erpWithOrders();
      const all = invoices(MAX_INVOICES, LINES_EACH, () => '10.00');
      const taskId = await call(await bench.uploadFile('all.zip', zipped(all)));
      const task = await bench.until(taskId, 'completed');
      expect(countsOf(task)).toBe('500 posted');
      const state = await erp.state();
      expect(new Set(state.invoices.map(({ vendorInvoice }) => vendorInvoice)).size).toBe(MAX_INVOICES);
      expect(state.invoices).toHaveLength(MAX_INVOICES);
      const csv = await bench.textOf(taskId, 'reconciliation.csv');
      expect(csv.split('\r\n')).toHaveLength(1 + MAX_LINES + 1);
      await expectOneRun(taskId);
    },
    TEST_MS,
  );

  it(
    'asks about 60 of 500 in batches, has an approver decide on the 4,400 lines of the others, and fits one run',
    async () => {
      await erpWithOrders();
      // 15 EUR are at stake in each: the requester may decide on 1,000 EUR.
      const all = invoices(MAX_INVOICES, LINES_EACH, () => '11.50');
      const taskId = await call(await bench.uploadFile('all.csv', Buffer.from(invoiceCsv(all))));
      expect(await answerAll(taskId, 'reject')).toBe(60);
      const desk = new TemporalApprovalDesk(bench.service);
      const found = await waitForApproval(desk, bench.workflowId(taskId));
      expect(found.open[0]?.title).toBe('440 invoices that differ from order or receipt');
      expect(found.open[0]?.details['The whole list']).toMatch(/^All 440 with all that differs are in .*SHA-256/);
      await decide(desk, found, decisionOn(found, 'Fiona', { ...REJECTION, option: 'hold', reason: '请'.repeat(190) }));
      const task = await bench.until(taskId, 'completed');
      expect(countsOf(task)).toBe('60 rejected, 440 held');
      expect(await bench.textOf(taskId, 'reconciliation.pdf')).toMatch(/^%PDF-/);
      await expectOneRun(taskId);
    },
    TEST_MS,
  );

  it('says of what is too much how much it is, and what to do, and posts nothing', async () => {
    const erp = await erpWithOrders();
    const all = invoices(MAX_INVOICES + 1, 1, () => '10.00');
    const [large, one, other] = await Promise.all([
      bench.uploadFile('november.zip', zipped(all)),
      bench.uploadFile('one.csv', Buffer.from(invoiceCsv(all.slice(0, 300)))),
      bench.uploadFile('other.csv', Buffer.from(invoiceCsv(all.slice(300)))),
    ]);
    const limits = 'a call takes 500 invoices with 5000 lines at most. Nothing was posted.';
    expect(textOf(await bench.until(await call(large), 'completed'))).toBe(
      `files: november.zip holds 501 invoices with 501 lines; ${limits} Split it, upload the parts, and call once for each.`,
    );
    expect(textOf(await bench.until(await call(one, other), 'completed'))).toBe(
      `files: with other.csv there are 501 invoices with 501 lines; ${limits} Call again with fewer files.`,
    );
    expect((await erp.state()).invoices).toEqual([]);
  });

  it('holds what comes after 60 questions for orders, and says why', async () => {
    await erpWithOrders();
    const lost = invoices(61, 1, () => '10.00').map(({ orderNumber: _, ...one }) => one);
    const taskId = await call(await bench.uploadFile('lost.csv', Buffer.from(invoiceCsv(lost))));
    expect(await answerAll(taskId, 'reject')).toBe(60);
    const task = await bench.until(taskId, 'completed');
    expect(countsOf(task)).toBe('60 rejected, 1 held');
    expect(structuredOf(task).outcomes.at(-1)?.note).toMatch(/^Its order is not known, and .* call again$/);
  });

  it('has no approver accept what the requester has rejected, whatever is matched anew', async () => {
    const erp = await erpWithOrders();
    // 960 EUR are at stake in four, and 50 more as soon as the first one is matched: the requester has 1,000.
    const prices = ['60.00', '250.00', '250.00', '250.00', '250.00'];
    const [first, ...others] = invoices(prices.length, 1, (place) => prices[place - 1] ?? '');
    const { orderNumber: _, ...nameless } = first!;
    const taskId = await call(await bench.uploadFile('five.csv', Buffer.from(invoiceCsv([nameless, ...others]))));
    const asked = await bench.until(taskId, 'input_required');
    for (const place of [2, 3, 4, 5]) await answer(asked, place, { decision: 'reject' });
    await answer(asked, 1, { decision: 'match', orderNumber: 'PO-440000' });
    const again = await bench.until(taskId, 'input_required', 'completed');
    expect(openKeys(again)).toEqual([expect.stringMatching(/^invoice-1-/)]);
    await answer(again, 1, { decision: 'accept' });
    const task = await bench.until(taskId, 'completed');
    expect(countsOf(task)).toBe('1 posted, 4 rejected');
    expect((await erp.state()).invoices).toHaveLength(1);
  });

  it('loses no answer because another one is of no use, four times', async () => {
    await erpWithOrders();
    const taskId = await call(
      await bench.uploadFile('two.csv', Buffer.from(invoiceCsv(invoices(2, 1, () => '40.00')))),
    );
    await answer(await bench.until(taskId, 'input_required'), 1, { decision: 'accept' });
    const seen = new Set<string>();
    for (let times = 0; times < 4; times += 1) {
      const key = await eventually(async () => {
        const [next] = openKeys(await bench.get(taskId), 'invoice-2-').filter((one) => !seen.has(one));
        return next ?? false;
      });
      seen.add(key);
      await bench.store.deliver(bench.caller, taskId, { [key]: accept({ decision: 'perhaps' }) });
    }
    const task = await bench.until(taskId, 'completed');
    expect(countsOf(task)).toBe('1 posted, 1 undecided');
  });
});
