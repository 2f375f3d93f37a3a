/** Who decides on what does not match, at the exact limits of the product's policy. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readInvoicePolicy, type InvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import type { Exception, MatchedInvoice } from '../../../../activities/invoices/match-result.ts';
import { MAX_ASKED, routesOf } from '../../../../activities/invoices/routing.ts';

let policy: InvoicePolicy;
beforeAll(async () => {
  policy = await readInvoicePolicy('policy/invoice-policy.json');
});

function found(status: Exception, atStake: string, currency = 'EUR'): MatchedInvoice {
  const whole = status === 'duplicate' || status === 'order_missing';
  const findings = [{ status, text: 'differs', atStake }];
  return {
    index: 1,
    number: 'RE-1',
    vendor: 'Kabel & Kontakt OHG',
    currency,
    total: '1.00',
    source: { file: 'a.csv', row: 2 },
    findings: whole ? findings : [],
    lines: [
      { description: 'Cable', quantity: '1', unitPrice: '1.00', amount: '1.00', findings: whole ? [] : findings },
    ],
  };
}
const clean: MatchedInvoice = { ...found('duplicate', '0'), findings: [] };

describe('routesOf', () => {
  it('posts what matches, and asks nobody', () => {
    expect(routesOf([clean], policy)).toEqual(['post']);
  });

  it.each([
    ['EUR', '250.00', '250.01'],
    ['JPY', '40000', '40001'],
    ['KWD', '82.000', '82.001'],
  ])('asks the requester up to the limit in %s, and an approver above it', (currency, within, above) => {
    expect(routesOf([found('price_differs', within, currency)], policy)).toEqual(['ask']);
    expect(routesOf([found('price_differs', above, currency)], policy)).toEqual(['approve']);
  });

  it('sums up what is at stake in an invoice', () => {
    const one = found('price_differs', '125.01');
    expect(routesOf([{ ...one, lines: [...one.lines, ...one.lines] }], policy)).toEqual(['approve']);
  });

  it('lets the requester decide on so much in one call and no more: many small ones are one large one', () => {
    const many = Array.from({ length: 6 }, () => found('price_differs', '200.00'));
    expect(routesOf(many, policy)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask', 'approve']);
    const mixed = [...many.slice(0, 5), found('price_differs', '0.01', 'USD')];
    expect(routesOf(mixed, policy)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask', 'ask']);
  });

  it('counts what was accepted before, wherever it stands', () => {
    const many = [found('price_differs', '200.00'), found('price_differs', '200.00'), found('price_differs', '249.00')];
    const rich = Array.from({ length: 3 }, () => found('price_differs', '200.00'));
    expect(routesOf([...many, ...rich], policy, { accepted: [4, 5, 6] })).toEqual([
      'ask',
      'ask',
      'approve',
      'ask',
      'ask',
      'ask',
    ]);
  });

  it('has an approver decide in a currency that the policy does not name', () => {
    expect(routesOf([found('price_differs', '0.01', 'NOK')], policy)).toEqual(['approve']);
  });

  it('refuses what nobody may accept, whatever else there is', () => {
    const double = { ...found('price_differs', '1.00'), findings: found('duplicate', '1.00').findings };
    expect(routesOf([double, found('no_receipt', '1.00')], policy)).toEqual(['refuse', 'approve']);
  });

  it('asks the requester for an order number, and not without end', () => {
    const lost = Array.from({ length: MAX_ASKED + 1 }, () => found('order_missing', '99999.00'));
    const routes = routesOf(lost, policy);
    expect([routes.at(-2), routes.at(-1)]).toEqual(['ask', 'wait']);
  });

  it('has nobody else accept what the requester has declined, whatever is asked about beside it', () => {
    const many = Array.from({ length: 6 }, () => found('price_differs', '200.00'));
    expect(routesOf(many, policy).at(-1)).toBe('approve');
    expect(routesOf(many, policy, { declined: [6] })).toEqual(Array.from({ length: 6 }, () => 'ask'));
    const lost = Array.from({ length: MAX_ASKED + 1 }, () => found('order_missing', '1.00'));
    const routes = routesOf(lost, policy, { declined: [MAX_ASKED + 1] });
    expect(routes.slice(-2)).toEqual(['wait', 'ask']);
  });
});
