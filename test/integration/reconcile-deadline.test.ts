/** Invoices that nobody decides on in time. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { waitForApproval } from '../support/approver.ts';
import { invoicesIn, ofChair, outcomesOf, structuredOf } from '../support/reconciled.ts';
import { seedOrder } from '../support/seed-order.ts';
import { openInvoiceBench, type InvoiceBench } from './invoice-bench.ts';
import { LONG_LIVED, PATIENCE_MS } from './order-bench.ts';

let bench: InvoiceBench;
beforeAll(async () => {
  bench = await openInvoiceBench();
}, PATIENCE_MS);

describe('reconcile_invoices', () => {
  it('reports what its caller wants decided sooner than anybody decides, after reminding and asking more people, and posts the rest', async () => {
    const erp = await bench.erpIn('idempotency-key');
    await seedOrder(erp, 'PO-440001', '4');
    const files = [await bench.upload([ofChair('A', '589.90'), ofChair('B', '189.90')])];
    const taskId = await bench.create('reconcile_invoices', { files, decideWithinSeconds: 8 }, LONG_LIVED);
    const found = await waitForApproval(new TemporalApprovalDesk(bench.service), bench.workflowId(taskId));
    expect(found.open[0]!.dueAt - found.open[0]!.openedAt).toBe(8_000);
    const task = await bench.until(taskId, 'completed');
    expect(outcomesOf(task)).toBe('1 undecided, 2 posted');
    expect(structuredOf(task).outcomes[0]?.note).toBe('Not decided in time by finance');
    expect(await invoicesIn(erp)).toEqual(['B posted']);
    expect(bench.actsOf(taskId, 'reminded')).toHaveLength(2);
    expect(bench.actsOf(taskId, 'escalated')).toHaveLength(1);
    expect(bench.actsOf(taskId, 'approval_decided')).toMatchObject([{ data: { result: 'expired', by: [] } }]);
  });
});
