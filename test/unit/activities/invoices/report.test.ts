import { describe, expect, it } from '@jest/globals';
import { readInvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import { matchInvoices } from '../../../../activities/invoices/match-invoices.ts';
import type { MatchTable } from '../../../../activities/invoices/match-table.ts';
import { reportCsv } from '../../../../activities/invoices/report.ts';
import {
  anInvoice,
  anInvoiceLine,
  anInvoiceOf,
  anOrderLine,
  erpFacts,
  orderFacts,
} from '../../../support/an-invoice.ts';

describe('reportCsv', () => {
  it('has a row for each line and each fault, and runs nothing that a vendor or a person has written', async () => {
    const description = '=HYPERLINK("http://x","y")';
    const orders = [orderFacts({ lines: [anOrderLine({ sku: undefined, description, unitPrice: '-1.00' })] })];
    const { sku: _, ...line } = anInvoiceLine({ description, quantity: '1', unitPrice: '-1.00', amount: '-1.00' });
    const invoice = anInvoiceOf([line, anInvoiceLine({ sku: '@SUM' })], { number: '+1', vendor: '-2+3' });
    const policy = await readInvoicePolicy('policy/invoice-policy.json');
    const read = [invoice, anInvoice()];
    const table: MatchTable = {
      policyVersion: policy.version,
      read,
      faults: [{ file: '=cmd|x.pdf', message: 'It is not a PDF.' }],
      invoices: matchInvoices(read, erpFacts(orders), policy),
    };
    const outcomes = [{ index: 1, kind: 'rejected', note: '=1+1' }] as const;
    const rows = reportCsv({ table, outcomes, datedAt: '2026-11-30T00:00:00.000Z' }).split('\r\n');
    expect(rows).toHaveLength(1 + 2 + 1 + 1 + 1);
    expect(rows[1]).toContain(`,"'+1","'-2+3",`);
    expect(rows[1]).toContain(`"'=HYPERLINK(""http://x"",""y"")",1,-1.00,-1.00,`);
    expect(rows[1]).toMatch(/,rejected,,"'=1\+1"$/);
    expect(rows[2]).toContain(`"'@SUM"`);
    expect(rows[4]).toMatch(/^"'=cmd\|x\.pdf",.*,unreadable,.*It is not a PDF\.$/);
  });
});
