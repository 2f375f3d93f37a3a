/** What becomes of an invoice whose outcome was lost, or that somebody in the ERP has voided, against the demo's ERP. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from '@jest/globals';
import { createErpClient } from '../../../../activities/erp-client.ts';
import { createPosting } from '../../../../activities/erp-posting.ts';
import { INVOICE_TEXTS } from '../../../../activities/erp-texts.ts';
import { createFactReader } from '../../../../activities/invoices/erp-facts.ts';
import { matchInvoices } from '../../../../activities/invoices/match-invoices.ts';
import { createInvoicePoster, type InvoicePoster } from '../../../../activities/invoices/post-invoices.ts';
import { readInvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import { anInvoice, erpFacts, orderFacts } from '../../../support/an-invoice.ts';
import { openErp, type OpenErp } from '../../../support/erp-in-process.ts';
import { seedOrder } from '../../../support/seed-order.ts';

const TASK_ID = 'task-1';
const SEARCH_LAG_MS = 300;
const [INVOICE] = matchInvoices(
  [anInvoice()],
  erpFacts([orderFacts()]),
  await readInvoicePolicy('policy/invoice-policy.json'),
);

async function openOrder(mode: 'idempotency-key' | 'search-only'): Promise<OpenErp> {
  const erp = await openErp({ mode, searchLagMs: SEARCH_LAG_MS });
  await seedOrder(erp, 'PO-440001', '4');
  return erp;
}

function posterFor({ url }: OpenErp): InvoicePoster {
  const erp = createErpClient(url, 'invoices');
  const posting = createPosting(erp, INVOICE_TEXTS, { giveUpAfterMs: 200, firstPauseMs: 50 });
  const facts = createFactReader(url, posting.untilKnown);
  return createInvoicePoster({ erp, posting, facts, lookForMs: 2_000 });
}

const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);

async function standing(erp: OpenErp): Promise<readonly string[]> {
  return (await erp.state()).invoices.map(({ status }) => status);
}

describe('takeBack', () => {
  it('looks for an invoice of unknown outcome until the search shows it, and voids it', async () => {
    const erp = await openOrder('search-only');
    const poster = posterFor(erp);
    await erp.arm({ at: 'invoices-after-accept', kind: 'drop', times: 1 });
    await erp.arm({ at: 'invoices-before-accept', kind: 'delay', delayMs: 0, times: 1 });
    await erp.arm({ at: 'invoices-before-accept', kind: 'refuse', times: 1 });
    const outcomes = await run(() => poster.post(TASK_ID, [INVOICE!]));
    expect(outcomes).toEqual([
      { index: 1, kind: 'unknown', note: expect.stringContaining(`reference ${TASK_ID}:invoice-1`) },
    ]);
    expect(await standing(erp)).toEqual(['posted']);
    await run(() => poster.takeBack(TASK_ID, outcomes));
    expect(await standing(erp)).toEqual(['voided']);
  });

  it('leaves alone what was not posted', async () => {
    const erp = await openOrder('idempotency-key');
    const poster = posterFor(erp);
    await run(() => poster.post(TASK_ID, [INVOICE!]));
    await run(() => poster.takeBack(TASK_ID, [{ index: 1, kind: 'failed' }]));
    expect(await standing(erp)).toEqual(['posted']);
  });
});

describe('post', () => {
  it('does not say that an invoice is posted which the ERP has voided since an earlier attempt', async () => {
    const erp = await openOrder('idempotency-key');
    const poster = posterFor(erp);
    const [posted] = await run(() => poster.post(TASK_ID, [INVOICE!]));
    expect(posted).toMatchObject({ index: 1, kind: 'posted' });
    await fetch(`${erp.url}/invoices/${posted!.erpNumber!}/void`, { method: 'POST' });
    expect(await run(() => poster.post(TASK_ID, [INVOICE!]))).toEqual([
      { index: 1, kind: 'failed', note: 'It was voided in the ERP' },
    ]);
    expect(await standing(erp)).toEqual(['voided']);
  });
});
