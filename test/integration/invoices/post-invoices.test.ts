/** What becomes of invoices whose outcome was lost, that somebody in the ERP has voided, or while it is away. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from '@jest/globals';
import { createInvoiceActivities, type InvoiceActivities } from '../../../activities/invoices/reconcile.ts';
import { matchInvoices } from '../../../activities/invoices/match-invoices.ts';
import { storeTable } from '../../../activities/invoices/match-table.ts';
import type { InvoiceOutcome } from '../../../activities/invoices/outcome.ts';
import { readInvoicePolicy } from '../../../activities/invoices/invoice-policy.ts';
import type { Mode } from '../../../demo/erp/erp-server.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { anInvoiceLine, anInvoiceOf, erpFacts, orderFacts } from '../../support/an-invoice.ts';
import { openErp, type OpenErp } from '../../support/erp-in-process.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { seedOrder } from '../../support/seed-order.ts';

const POLICY_FILE = 'policy/invoice-policy.json';
const ORDER = 'PO-440001';
const OWNER = { caller: 'a'.repeat(32), taskId: 't'.repeat(22) };
const GIVE_UP_AFTER_MS = 400;

interface Desk {
  post(places: readonly number[], attempt?: number): Promise<readonly InvoiceOutcome[]>;
  takeBack(outcomes: readonly InvoiceOutcome[]): Promise<void>;
}

/** The activities of a task that has matched three invoices, A, B and C, each of one chair of four. */
async function deskFor(erpUrl: string): Promise<Desk> {
  const blobs = new FolderBlobStore(await temporaryFolder());
  const activities: InvoiceActivities = createInvoiceActivities({
    blobs,
    erpUrl,
    policyFile: POLICY_FILE,
    sources: { uploads: { read: async () => undefined }, readInvoices: () => Promise.reject(new Error('unused')) },
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    firstPauseMs: 50,
    lookForMs: 2_000,
  });
  const chair = anInvoiceLine({ quantity: '1', amount: '189.90' });
  const read = ['A', 'B', 'C'].map((number) => anInvoiceOf([chair], { number }));
  const invoices = matchInvoices(read, erpFacts([orderFacts()]), await readInvoicePolicy(POLICY_FILE));
  const table = await storeTable(blobs, OWNER, { policyVersion: 'test', read, faults: [], invoices });
  return {
    post: (indexes, attempt = 1) =>
      new MockActivityEnvironment({ attempt }).run(() => activities.postInvoices({ owner: OWNER, table, indexes })),
    takeBack: (outcomes) =>
      new MockActivityEnvironment().run(() => activities.voidInvoices({ owner: OWNER, table, outcomes })),
  };
}

async function openOrder(mode: Mode): Promise<{ erp: OpenErp; desk: Desk }> {
  const erp = await openErp({ mode, searchLagMs: 300 });
  await seedOrder(erp, ORDER, '4');
  return { erp, desk: await deskFor(erp.url) };
}

/** By somebody who is not this task. */
async function invoiceMeanwhile({ url }: OpenErp): Promise<void> {
  const line = { line: 1, description: 'Office chair', quantity: '1', unitPrice: '189.90', amount: '189.90' };
  const whose = { reference: 'other', order: ORDER, vendor: 'Nordlicht Bürobedarf GmbH', vendorInvoice: 'Z' };
  const invoice = { ...whose, currency: 'EUR', total: '189.90', lines: [line] };
  const { status } = await fetch(`${url}/invoices`, { method: 'POST', body: JSON.stringify(invoice) });
  expect(status).toBe(201);
}

async function standing(erp: OpenErp): Promise<readonly string[]> {
  return (await erp.state()).invoices.map(({ vendorInvoice, status }) => `${vendorInvoice} ${status}`);
}

describe('voidInvoices', () => {
  it('looks for an invoice of unknown outcome until the search shows it, and voids it with the others', async () => {
    const { erp, desk } = await openOrder('search-only');
    const others = await desk.post([2, 3]);
    await erp.arm({ at: 'invoices-after-accept', kind: 'drop', times: 1 });
    await erp.arm({ at: 'invoices-before-accept', kind: 'delay', delayMs: 0, times: 1 });
    await erp.arm({ at: 'invoices-before-accept', kind: 'refuse', times: 1 });
    const lost = await desk.post([1]);
    expect(lost).toEqual([
      { index: 1, kind: 'unknown', note: expect.stringContaining(`reference ${OWNER.taskId}:invoice-1`) },
    ]);
    expect(await standing(erp)).toEqual(['B posted', 'C posted', 'A posted']);
    await desk.takeBack([...lost, ...others]);
    expect(await standing(erp)).toEqual(['B voided', 'C voided', 'A voided']);
  });

  it('leaves alone what was not posted', async () => {
    const { erp, desk } = await openOrder('idempotency-key');
    await desk.post([1]);
    await desk.takeBack([{ index: 1, kind: 'failed' }]);
    expect(await standing(erp)).toEqual(['A posted']);
  });
});

describe('postInvoices', () => {
  it('does not say that an invoice is posted which the ERP has voided since an earlier attempt', async () => {
    const { erp, desk } = await openOrder('idempotency-key');
    const [posted] = await desk.post([1]);
    expect(posted).toMatchObject({ index: 1, kind: 'posted' });
    await fetch(`${erp.url}/invoices/${posted!.erpNumber!}/void`, { method: 'POST' });
    expect(await desk.post([1], 2)).toEqual([{ index: 1, kind: 'failed', note: 'It was voided in the ERP' }]);
    expect(await standing(erp)).toEqual(['A voided']);
  });

  it('says of what an earlier attempt has posted that it is posted, though somebody has invoiced the same line since', async () => {
    const { erp, desk } = await openOrder('idempotency-key');
    const first = await desk.post([1]);
    await invoiceMeanwhile(erp);
    expect(await desk.post([1], 2)).toEqual(first);
    expect(await standing(erp)).toEqual(['A posted', 'Z posted']);
  });

  it('is not certain that nothing was posted where an earlier attempt may have sent it, and does not send it again', async () => {
    const { erp, desk } = await openOrder('idempotency-key');
    await invoiceMeanwhile(erp);
    expect(await desk.post([1])).toEqual([
      { index: 1, kind: 'failed', note: expect.stringMatching(/was invoiced meanwhile/) },
    ]);
    expect(await desk.post([1], 2)).toMatchObject([{ index: 1, kind: 'unknown' }]);
    expect(await standing(erp)).toEqual(['Z posted']);
  });

  it('waits once for an ERP that is away, and says the same of all of them', async () => {
    const desk = await deskFor(`http://127.0.0.1:${await freePort()}`);
    // One that waits for each takes three times as long, however often it is tried.
    await eventually(async () => {
      const begunAt = performance.now();
      await desk.post([1]);
      const startedAt = performance.now();
      const outcomes = await desk.post([1, 2, 3]);
      const tookMs = performance.now() - startedAt;
      expect(outcomes.map(({ kind, note }) => [kind, note])).toEqual(
        outcomes.map(() => ['failed', 'The ERP could not be reached: call again later']),
      );
      expect(tookMs).toBeLessThan(2 * (startedAt - begunAt));
    });
  });

  it('goes on until an ERP that was away is back, where an earlier attempt may have sent it', async () => {
    const { erp, desk } = await openOrder('idempotency-key');
    const first = await desk.post([1]);
    for (const at of ['search', 'read'] as const) await erp.arm({ at, kind: 'unavailable', times: 5 });
    const startedAt = performance.now();
    expect(await desk.post([1], 2)).toEqual(first);
    expect(performance.now() - startedAt).toBeGreaterThan(GIVE_UP_AFTER_MS);
  });
});
