/** The demo's invoices, read from what is printed of them, against the demo's ERP: every line is judged as expected.json says. */
import { readFileSync } from 'node:fs';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createErpClient } from '../../../activities/erp-client.ts';
import { createPosting } from '../../../activities/erp-posting.ts';
import { INVOICE_TEXTS } from '../../../activities/erp-texts.ts';
import { createFactReader } from '../../../activities/invoices/erp-facts.ts';
import { readInvoicePolicy, type InvoicePolicy } from '../../../activities/invoices/invoice-policy.ts';
import type { ErpFacts } from '../../../activities/invoices/order-facts.ts';
import { matchInvoices } from '../../../activities/invoices/match-invoices.ts';
import { EXCEPTIONS, statusesOf, type MatchedInvoice } from '../../../activities/invoices/match-result.ts';
import { readInvoices } from '../../../activities/invoices/read-invoices.ts';
import { routesOf } from '../../../activities/invoices/routing.ts';
import { ALL_IN_ONE, invoiceFiles } from '../../../demo/invoices/invoice-files.ts';
import { seedErp } from '../../../demo/invoices/seed.ts';
import { openErp } from '../../support/erp-in-process.ts';

interface Expected {
  readonly invoice: string;
  readonly route: string;
  readonly lines: readonly (readonly string[])[];
}
const expected = JSON.parse(
  readFileSync(new URL('../../../demo/invoices/expected.json', import.meta.url), 'utf8'),
) as readonly Expected[];

let policy: InvoicePolicy;
let matched: readonly MatchedInvoice[];
beforeAll(async () => {
  policy = await readInvoicePolicy('policy/invoice-policy.json');
  const erp = await openErp({ mode: 'idempotency-key' });
  await seedErp(erp.url);
  await seedErp(erp.url);
  const { bytes } = (await invoiceFiles()).at(-1)!;
  const { invoices } = await readInvoices(bytes, ALL_IN_ONE);
  const posting = createPosting(createErpClient(erp.url, 'invoices'), INVOICE_TEXTS);
  const facts = await new MockActivityEnvironment().run<[], ErpFacts, () => Promise<ErpFacts>>(() =>
    createFactReader(erp.url, posting.untilKnown).factsFor(invoices, []),
  );
  matched = matchInvoices(invoices, facts, policy);
}, 90_000);

describe('the invoices of the demo against its ERP', () => {
  it('are at least 30, and show every way to differ', () => {
    expect(expected.length).toBeGreaterThanOrEqual(30);
    const shown = new Set(expected.flatMap(({ lines }) => lines.flat()));
    expect([...shown].sort()).toEqual([...EXCEPTIONS, 'matched'].sort());
    expect(matched).toHaveLength(expected.length);
  });

  it.each(expected.map((each) => [each.invoice, each] as const))('%s', (number, { route, lines }) => {
    const index = matched.findIndex((each) => each.number === number);
    const invoice = matched[index]!;
    expect(invoice.lines.map((line) => statusesOf(invoice, line))).toEqual(lines);
    expect(routesOf(matched, policy)[index]).toBe(route);
  });
});
