import { describe, expect, it } from '@jest/globals';
import type { DraftLine, OrderDraft } from '../../../activities/order-draft.ts';
import { approvalContent } from '../../../protocol/approval-request.ts';
import { shownOrder } from '../../../workflows/order-shown.ts';
import type { CompletedOrder } from '../../../workflows/order-completion.ts';

const LINE: DraftLine = { description: 'Chair', sku: 'CH-1', quantity: '4', unitPrice: '189.90', amount: '759.60' };
const PAPER = { uri: 'task://t/r.pdf', name: 'r.pdf', mimeType: 'application/pdf', bytes: 1, sha256: 'ab'.repeat(32) };

function anOrder(overrides: Partial<OrderDraft> = {}, isNewVendor = false): CompletedOrder {
  const costCentres = [{ value: '1100', title: '1100 Office' }];
  return {
    order: { vendor: 'V1', currency: 'EUR', lines: [LINE], total: '759.60', costCentre: '1100', ...overrides },
    verdict: { policyVersion: 'v1', refusals: [], costCentres, missing: {}, isNewVendor, approvals: [] },
  };
}

describe('shownOrder', () => {
  it('shows everything of the order, in reading order', () => {
    const order = anOrder({ category: 'it', neededBy: '2027-01-31', justification: 'Broken.' }, true);
    const shown = shownOrder(order, { approvedBy: ['Ann', 'Bea'], changesAsked: 'Cleo: cheaper' });
    expect(Object.entries(shown.details)).toEqual([
      ['What happens', 'One order is posted to the ERP, once, and a PDF of it is written.'],
      ['Vendor', 'V1 (new: not on the list of known vendors)'],
      ['Line 1', '4 × 189.90 = 759.60 EUR: Chair (SKU CH-1)'],
      ['Total', '759.60 EUR'],
      ['Cost centre', '1100 Office'],
      ['Category', 'it'],
      ['Needed by', '2027-01-31'],
      ['Justification', 'Broken.'],
      ['Purchase policy', 'v1'],
      ['Approved before by', 'Ann, Bea'],
      ['Changes asked for before', 'Cleo: cheaper'],
    ]);
    expect(shown.isWhole).toBe(true);
  });

  it('shows to which address the order goes, and none where it goes nowhere', () => {
    const { order, verdict } = anOrder();
    const shownTo = (orderMail: CompletedOrder['verdict']['orderMail']): string | undefined => {
      const completed = { order, verdict: { ...verdict, ...(orderMail === undefined ? {} : { orderMail }) } };
      return shownOrder(completed, { approvedBy: [] }).details['Goes by mail to'];
    };
    expect([shownTo({ to: 'orders@v1.example' }), shownTo({ none: 'no-server' }), shownTo(undefined)]).toEqual([
      'orders@v1.example',
      undefined,
      undefined,
    ]);
  });

  it('shows as many lines as there is room for, and where all of them are', () => {
    const lines = Array.from({ length: 1_000 }, () => LINE);
    const { details, isWhole } = shownOrder(anOrder({ lines }), { approvedBy: [], paper: PAPER });
    const shownCount = Object.keys(details).filter((name) => name.startsWith('Line ')).length;
    expect(shownCount).toBeGreaterThan(100);
    expect(details['More lines']).toBe(
      `${1_000 - shownCount} more: all 1000 are in r.pdf (SHA-256 ${'ab'.repeat(32)})`,
    );
    expect(isWhole).toBe(false);
  });

  it('shows every role the same lines, whoever has approved before', () => {
    const names = Array.from({ length: 20 }, () => 'A"'.repeat(100));
    for (let count = 1; count <= 200; count += 1) {
      const order = anOrder({ lines: Array.from({ length: count }, () => LINE) });
      const [first, last] = [[], names].map((approvedBy) => shownOrder(order, { approvedBy }));
      expect(last?.isWhole).toBe(first?.isWhole);
    }
  });

  it('fits an approval, whatever the texts hold', () => {
    const nasty = '"\n'.repeat(1_000);
    const lines = Array.from({ length: 1_000 }, () => ({ ...LINE, description: '"😀'.repeat(100) }));
    const order = anOrder({ lines, justification: nasty, vendor: '"😀'.repeat(60) }, true);
    const names = Array.from({ length: 20 }, () => 'A"'.repeat(100));
    const { details } = shownOrder(order, { approvedBy: names, changesAsked: '\u0000"'.repeat(2_000), paper: PAPER });
    const request = { role: 'r', title: 'T', details, reason: '"'.repeat(1_000), withinMs: 1 };
    expect(() => approvalContent(request, 'r'.repeat(200))).not.toThrow();
  });
});
