/** What `reconcile_invoices` says when there is nothing to read, or nobody to match against. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anInvoice } from '../support/an-invoice.ts';
import { freePort } from '../support/free-port.ts';
import { openInvoiceBench, type InvoiceBench } from './invoice-bench.ts';
import { PATIENCE_MS, textOf } from './order-bench.ts';

let bench: InvoiceBench;
beforeAll(async () => {
  bench = await openInvoiceBench();
}, PATIENCE_MS);

describe('reconcile_invoices', () => {
  it('says which file is not there, and does nothing', async () => {
    const erp = await bench.erpIn('idempotency-key');
    const taskId = await bench.create('reconcile_invoices', { files: ['no-such-file'] });
    const task = await bench.until(taskId, 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
    expect(textOf(task)).toMatch(/^files: there is no file no-such-file of yours\./);
    expect((await erp.state()).invoices).toEqual([]);
  });

  it('fails clearly when the ERP is dead', async () => {
    bench.goTo(`http://127.0.0.1:${await freePort()}`);
    const task = await bench.until(await bench.reconcile([anInvoice()]), 'completed');
    expect(textOf(task)).toMatch(/^The ERP could not be reached; no invoice was matched or posted/);
  });
});
