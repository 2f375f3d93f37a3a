/** What an approver sees of invoices that differ: all of it, on the page or in the file beside it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { approvalPaper, type ApprovalPaper } from '../../../../activities/invoices/approval-paper.ts';
import { readInvoicePolicy, type InvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import { matchInvoices } from '../../../../activities/invoices/match-invoices.ts';
import { FolderBlobStore } from '../../../../store/folder-blobs.ts';
import { anInvoiceLine, anInvoiceOf, erpFacts, orderFacts } from '../../../support/an-invoice.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let policy: InvoicePolicy;
beforeAll(async () => {
  policy = await readInvoicePolicy('policy/invoice-policy.json');
});

/** For one invoice with so many lines that nobody has ordered. */
async function paperOf(lineCount: number): Promise<ApprovalPaper> {
  const lines = Array.from({ length: lineCount }, (_, index) =>
    anInvoiceLine({ sku: `X-${String(index)}`, description: `Something else, number ${String(index)}` }),
  );
  const invoices = matchInvoices([anInvoiceOf(lines)], erpFacts([orderFacts()]), policy);
  return approvalPaper(new FolderBlobStore(await temporaryFolder()), {
    owner: { caller: 'a'.repeat(32), taskId: 'A'.repeat(22) },
    invoices,
    policyVersion: policy.version,
    datedAt: '2026-11-30T00:00:00.000Z',
    name: 'list.pdf',
  });
}

describe('the paper of an approval', () => {
  it('needs no file when all that differs stands on the page', async () => {
    const { details, file } = await paperOf(3);
    expect(details['Invoice 1']).toContain('Something else, number 2');
    expect(file).toBeUndefined();
  });

  it.each([30, 60])(
    'comes with a file when %i lines of one invoice differ and some are left out',
    async (lineCount) => {
      const { details, file } = await paperOf(lineCount);
      expect(details['Invoice 1']).toMatch(/… and \d+ more$/);
      expect(details['The whole list']).toContain(file?.ref.sha256);
      expect(file?.name).toBe('list.pdf');
    },
  );
});
