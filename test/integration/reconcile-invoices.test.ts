import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MODES } from '../../demo/erp/erp-server.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { anInvoice, anInvoiceLine, anInvoiceOf } from '../support/an-invoice.ts';
import { decide, decisionOn, person, REJECTION, waitForApproval } from '../support/approver.ts';
import { seedOrder } from '../support/seed-order.ts';
import { accept, openKeys } from '../support/task-bench.ts';
import { invoicesIn, ofChair, outcomesOf, structuredOf } from '../support/reconciled.ts';
import { openInvoiceBench, type InvoiceBench } from './invoice-bench.ts';
import { LONG_LIVED, PATIENCE_MS } from './order-bench.ts';

let bench: InvoiceBench;
beforeAll(async () => {
  bench = await openInvoiceBench();
}, PATIENCE_MS);

const HOUR_MS = 3_600_000;

async function answer(task: DetailedTask, index: number, content: JsonObject): Promise<void> {
  const [key = ''] = openKeys(task, `invoice-${index}-`);
  await bench.store.deliver(bench.caller, task.taskId, { [key]: accept(content) });
}

describe('reconcile_invoices', () => {
  it.each(MODES)('posts what matches once, and reports every line, with %s', async (mode) => {
    const erp = await bench.erpIn(mode);
    await seedOrder(erp, 'PO-440001', '4');
    const taskId = await bench.reconcile([
      anInvoice(),
      anInvoice(),
      anInvoice({ number: 'RE-2', kind: 'credit_note' }),
    ]);
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 posted, 2 refused, 3 refused');
    expect(structuredOf(task).outcomes.map(({ note }) => note)).toEqual([
      undefined,
      'Invoice RE-1 of this vendor stands in this call already, as number 1',
      'A credit note is not posted from here: enter it in the ERP by hand',
    ]);
    const { invoices } = await erp.state();
    expect(invoices).toMatchObject([
      {
        reference: `${taskId}:invoice-1`,
        order: 'PO-440001',
        vendorInvoice: 'RE-1',
        total: '903.92',
        lines: [{ line: 1, quantity: '4', amount: '759.60' }],
      },
    ]);
    const { number } = invoices[0]!;
    expect(structuredOf(task).outcomes[0]?.erpNumber).toBe(number);
    expect(bench.actsOf(taskId, 'effect').map(({ data }) => data)).toEqual([
      { words: 'Post 1 to 1 of 1 invoices', reference: number },
    ]);
    const csv = await bench.textOf(taskId, 'reconciliation.csv');
    expect(csv.split('\r\n')[1]).toContain('759.60,4,4,0,189.90,matched,,posted,IV-700001');
    expect(csv.split('\r\n')[2]).toContain('duplicate');
    expect(await bench.textOf(taskId, 'reconciliation.pdf')).toMatch(/^%PDF-/);
    expect(task).toMatchObject({
      result: {
        content: [
          { text: '3 invoices with 3 lines: 1 posted, 2 not acceptable by anybody.' },
          { type: 'text' },
          { type: 'resource_link', name: 'reconciliation.csv', mimeType: 'text/csv' },
          { type: 'resource_link', name: 'reconciliation.pdf', mimeType: 'application/pdf' },
        ],
      },
    });
  });

  it('asks about several at once, takes the answers in any order, and posts what was accepted', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const taskId = await bench.reconcile(['A', 'B', 'C', 'D'].map((number) => ofChair(number, '199.90')));
    const asked = await bench.until(taskId, 'input_required');
    expect(openKeys(asked)).toHaveLength(4);
    expect(JSON.stringify(asked)).toContain('Price 199.90 EUR, ordered at 189.90 EUR');
    await answer(asked, 3, { decision: 'reject', note: 'Not agreed.' });
    await answer(asked, 4, { decision: 'hold' });
    await answer(asked, 1, { decision: 'accept' });
    await bench.store.deliver(bench.caller, taskId, { [openKeys(asked, 'invoice-2-')[0]!]: { action: 'decline' } });
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 posted, 2 held, 3 rejected, 4 held');
    expect(structuredOf(task).outcomes.map(({ note }) => note)).toEqual([
      'Accepted by the requester',
      'Not answered by the requester',
      'By the requester: Not agreed.',
      'By the requester',
    ]);
    expect(await invoicesIn(erp)).toEqual(['A posted']);
  });

  it('matches anew when the order is named, and asks about what differs then', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    await seedOrder(erp, 'PO-440002', '4');
    const lost = ofChair('A', '199.90');
    const { orderNumber: _, ...nameless } = lost;
    const taskId = await bench.reconcile([nameless, ofChair('B', '189.90', { orderNumber: 'PO-1' })]);
    const asked = await bench.until(taskId, 'input_required');
    expect(JSON.stringify(asked)).toContain('"enum":["PO-440001","PO-440002"]');
    await answer(asked, 1, { decision: 'match', orderNumber: 'PO-440002' });
    await answer(asked, 2, { decision: 'match' });
    const again = await bench.until(taskId, 'input_required', 'completed');
    expect(openKeys(again)).toHaveLength(1);
    expect(JSON.stringify(again)).toContain('Price 199.90 EUR');
    await answer(again, 1, { decision: 'accept' });
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 posted, 2 held');
    expect((await erp.state()).invoices).toMatchObject([{ order: 'PO-440002' }]);
  });

  it('counts what the requester has accepted before an order that is named later, so that asking anew widens no limit', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    await seedOrder(erp, 'PO-440002', '4');
    // 240.00 are at stake in each: four of them stay below 1000.00 in all, the fifth does not, wherever it stands.
    const late = ofChair('Late', '429.90', { orderNumber: 'PO-1' });
    const taskId = await bench.reconcile([late, ...['A', 'B', 'C', 'D'].map((number) => ofChair(number, '429.90'))]);
    const asked = await bench.until(taskId, 'input_required');
    expect(openKeys(asked)).toHaveLength(5);
    for (const place of [2, 3, 4, 5]) await answer(asked, place, { decision: 'accept' });
    await answer(asked, 1, { decision: 'match', orderNumber: 'PO-440002' });
    const desk = new TemporalApprovalDesk(bench.service);
    const found = await waitForApproval(desk, bench.workflowId(taskId));
    expect(Object.keys(found.open[0]!.details).filter((name) => /^Invoice \d/.test(name))).toEqual(['Invoice 1']);
    await decide(desk, found, decisionOn(found, 'Fiona'));
    const task = await bench.until(taskId, 'completed');
    expect(structuredOf(task).outcomes.map(({ note }) => note)).toEqual([
      'Accepted by Fiona',
      ...Array.from({ length: 4 }, () => 'Accepted by the requester'),
    ]);
    expect((await invoicesIn(erp)).toSorted()).toEqual(['A', 'B', 'C', 'D', 'Late'].map((each) => `${each} posted`));
  });

  it('has an approver decide above the limit, shows exactly the lines, and lets nobody approve their own', async () => {
    const erp = await bench.erpIn('unique-reference');
    await seedOrder(erp, 'PO-440001', '4');
    const taskId = await bench.reconcile([ofChair('A', '589.90'), ofChair('B', '189.90')]);
    const desk = new TemporalApprovalDesk(bench.service);
    const found = await waitForApproval(desk, bench.workflowId(taskId));
    expect(found.open[0]).toMatchObject({
      title: 'An invoice that differs from order or receipt',
      amount: '400.00 EUR',
      roles: ['finance'],
      details: {
        'Invoice 1':
          'Invoice A of Nordlicht Bürobedarf GmbH for 589.90 EUR, order PO-440001\n' +
          'Line 1 (Office chair): Price 589.90 EUR, ordered at 189.90 EUR',
      },
      documents: [],
    });
    const { openedAt, dueAt } = found.open[0]!;
    expect(dueAt - openedAt).toBe(72 * HOUR_MS);
    expect(await invoicesIn(erp)).toEqual([]);
    const me = { ...person('me'), principals: [found.requester] };
    expect(await decide(desk, found, decisionOn(found, 'me', { person: me }))).toMatchObject({
      refusal: { code: 'own' },
    });
    await decide(desk, found, decisionOn(found, 'Fiona'));
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 posted, 2 posted');
    expect(structuredOf(task).approvedBy).toEqual(['Fiona']);
    expect(structuredOf(task).outcomes[0]?.note).toBe('Accepted by Fiona');
    expect(await invoicesIn(erp)).toEqual(['A posted', 'B posted']);
  });

  it.each([
    ['reject', '1 rejected, 2 posted'],
    ['hold', '1 held, 2 posted'],
  ])('posts the others when the approver says %s', async (option, said) => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const taskId = await bench.reconcile([ofChair('A', '589.90'), ofChair('B', '189.90')]);
    const desk = new TemporalApprovalDesk(bench.service);
    const found = await waitForApproval(desk, bench.workflowId(taskId));
    await decide(desk, found, decisionOn(found, 'Fiona', { ...REJECTION, option }));
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe(said);
    expect(structuredOf(task).outcomes[0]?.note).toBe(`By Fiona (asked as finance): ${REJECTION.reason}`);
    expect(await invoicesIn(erp)).toEqual(['B posted']);
  });

  it('reports what needs a decision when its caller cannot be asked, and posts the rest', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const features = { elicitationForm: false };
    const taskId = await bench.reconcile([ofChair('A', '199.90'), ofChair('B', '189.90')], { features });
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 undecided, 2 posted');
    expect(await invoicesIn(erp)).toEqual(['B posted']);
  });

  it('does not post what was invoiced meanwhile by somebody else', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const four = anInvoiceLine({ unitPrice: '199.90', amount: '799.60' });
    const taskId = await bench.reconcile([anInvoiceOf([four], { number: 'A' })]);
    const asked = await bench.until(taskId, 'input_required');
    await bench.until(await bench.reconcile([ofChair('B', '189.90')]), 'completed');
    await answer(asked, 1, { decision: 'accept' });
    const task = await bench.until(taskId, 'completed');
    expect(structuredOf(task).outcomes[0]).toMatchObject({
      outcome: 'failed',
      note: expect.stringContaining('meanwhile'),
    });
    expect(await invoicesIn(erp)).toEqual(['B posted']);
  });

  it('posts once over lost answers, and an invoice that another task posted first is not posted again', async () => {
    const erp = await bench.erpIn('search-only');
    await seedOrder(erp, 'PO-440001', '4');
    await erp.arm({ at: 'invoices-after-accept', kind: 'drop', times: 2 });
    const task = await bench.until(
      await bench.reconcile([ofChair('A', '189.90'), ofChair('B', '189.90')]),
      'completed',
    );
    expect(outcomesOf(task)).toBe('1 posted, 2 posted');
    const again = await bench.until(await bench.reconcile([ofChair('A', '189.90')]), 'completed');
    expect(outcomesOf(again)).toBe('1 refused');
    expect(await invoicesIn(erp)).toEqual(['A posted', 'B posted']);
  });

  it('goes on with the others when the ERP refuses one', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    await erp.arm({ at: 'invoices-before-accept', kind: 'refuse', times: 1 });
    const task = await bench.until(
      await bench.reconcile([ofChair('A', '189.90'), ofChair('B', '189.90')]),
      'completed',
    );
    expect(outcomesOf(task)).toBe('1 failed, 2 posted');
    expect(await invoicesIn(erp)).toEqual(['B posted']);
  });

  it.each(MODES)(
    'voids what it has posted when it is cancelled meanwhile, with %s',
    async (mode) => {
      const erp = await bench.erpIn(mode);
      await seedOrder(erp, 'PO-440001', '4');
      await erp.arm({ at: 'invoices-after-accept', kind: 'hold' });
      const taskId = await bench.reconcile([ofChair('A', '189.90')]);
      await erp.untilHeld('invoices-after-accept');
      await bench.cancel(taskId);
      expect((await bench.get(taskId)).status).toBe('working');
      await erp.release();
      await bench.until(taskId, 'cancelled');
      expect(await invoicesIn(erp)).toEqual(['A voided']);
    },
    PATIENCE_MS,
  );

  it('tells the audit which files it has read, by their digests', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const bytes = Buffer.from(JSON.stringify([ofChair('A', '189.90')]));
    const fileId = await bench.uploadFile('november.csv', bytes);
    const taskId = await bench.create('reconcile_invoices', { files: [fileId, fileId] }, LONG_LIVED);
    await bench.until(taskId, 'completed');
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(bench.actsOf(taskId, 'file_taken')).toMatchObject([
      { seq: 1, about: fileId, data: { fileId, file: 'november.csv', bytes: bytes.length, digest } },
    ]);
  });
});
