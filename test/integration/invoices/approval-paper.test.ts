/** What an approver is shown of invoices that differ in more than a page can hold. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { approvalPaper, type ApprovalPaper } from '../../../activities/invoices/approval-paper.ts';
import type { MatchedInvoice } from '../../../activities/invoices/match-result.ts';
import { PdfReader } from '../../../activities/invoices/pdf-reader.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEST_MS = 60_000;
const owner = { caller: 'c'.repeat(32), taskId: 'b'.repeat(22) };

const reader = new PdfReader();
afterAll(() => reader.close());

/** Each line at another price than ordered. */
function differingIn(lineCount: number): MatchedInvoice {
  const findings = [
    { status: 'price_differs', text: 'Price 11.50 EUR, ordered at 10.00 EUR', atStake: '1.50' },
  ] as const;
  const line = { description: 'Office chair', quantity: '1', unitPrice: '11.50', amount: '11.50', findings };
  return {
    index: 1,
    number: 'RE-1',
    vendor: 'Nordlicht Bürobedarf GmbH',
    order: 'PO-440001',
    currency: 'EUR',
    total: '11.50',
    source: { file: 'a.csv', row: 2 },
    findings: [],
    lines: Array.from({ length: lineCount }, () => line),
  };
}

async function paperOf(invoice: MatchedInvoice, blobs = new FolderBlobStore('')): Promise<ApprovalPaper> {
  const datedAt = '2026-11-30T00:00:00.000Z';
  return approvalPaper(blobs, { owner, invoices: [invoice], policyVersion: 'v1', datedAt, name: 'exceptions.pdf' });
}

describe('approvalPaper', () => {
  it('shows all of a few lines in place, without a file', async () => {
    const { details, file } = await paperOf(differingIn(3));
    expect(file).toBeUndefined();
    expect(details['Invoice 1']?.split('\n').slice(1)).toEqual(
      [1, 2, 3].map((line) => expect.stringMatching(`^Line ${line} `)),
    );
  });

  it(
    'puts each of many lines into a PDF, and shows its digest',
    async () => {
      const lineCount = 200;
      const blobs = new FolderBlobStore(await temporaryFolder());
      const { details, file } = await paperOf(differingIn(lineCount), blobs);
      expect(details['Invoice 1']).toMatch(/… and \d+ more$/);
      expect(details['The whole list']).toContain(`exceptions.pdf (SHA-256 ${file?.ref.sha256 ?? 'none'})`);
      const { bytes } = (await blobs.read(owner, 'exceptions.pdf'))!;
      const pages = await reader.read(bytes);
      const texts = pages.map((pieces) => pieces.map(({ text }) => text).join(' '));
      const listed = [...texts.join(' ').matchAll(/Line (\d+) \(/g)].map(([, place]) => Number(place));
      expect(listed).toEqual(Array.from({ length: lineCount }, (_, index) => index + 1));
      expect(pages.length).toBeGreaterThan(2);
      for (const text of texts) expect(text).toMatch(/What differs.*RE-1/);
    },
    TEST_MS,
  );
});
