/** Who approves what, by the policy of the product, at its exact limits. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { approvalsFor } from '../../../activities/approval-matrix.ts';
import { readPolicy, type PurchasePolicy } from '../../../activities/policy-file.ts';

const KNOWN = 'Fräswerk Süd AG';
const NEW = 'Nobody Has Heard Of Ltd';

let policy: PurchasePolicy;

beforeAll(async () => {
  policy = await readPolicy('policy/purchase-policy.json');
});

/** `purchasing 1, finance 2`. */
function asked(total: string, currency: string, more: { vendor?: string; category?: string } = {}): string {
  const needs = approvalsFor(policy, { vendor: KNOWN, total, currency, ...more });
  return needs.map(({ role, quorum }) => `${role} ${quorum}`).join(', ');
}

describe('approvalsFor', () => {
  it.each([
    ['EUR', '10000.00', '10000.01', '50000.00', '50000.01'],
    ['USD', '11000.00', '11000.01', '55000.00', '55000.01'],
    ['GBP', '9000.00', '9000.01', '45000.00', '45000.01'],
    ['CHF', '10000.00', '10000.01', '50000.00', '50000.01'],
    ['JPY', '1600000', '1600001', '8000000', '8000001'],
    ['KWD', '3300.000', '3300.001', '16500.000', '16500.001'],
  ])('%s: asks nobody at %s, purchasing from %s to %s, and two in finance from %s', (currency, ...amounts) => {
    expect(amounts.map((total) => asked(total, currency))).toEqual([
      '',
      'purchasing 1',
      'purchasing 1',
      'purchasing 1, finance 2',
    ]);
  });

  it.each([
    ['EUR', '2000.00', '2000.01'],
    ['USD', '2200.00', '2200.01'],
    ['GBP', '1800.00', '1800.01'],
    ['CHF', '2000.00', '2000.01'],
    ['JPY', '320000', '320001'],
    ['KWD', '660.000', '660.001'],
  ])('%s: asks purchasing about a new vendor above %s', (currency, limit, above) => {
    expect([limit, above].map((total) => asked(total, currency, { vendor: NEW }))).toEqual(['', 'purchasing 1']);
    expect(asked(above, currency)).toBe('');
  });

  it.each([
    ['EUR', '5000.00', '5000.01'],
    ['USD', '5500.00', '5500.01'],
    ['GBP', '4500.00', '4500.01'],
    ['CHF', '5000.00', '5000.01'],
    ['JPY', '800000', '800001'],
    ['KWD', '1650.000', '1650.001'],
  ])('%s: a category has a limit of its own, %s, and its own role', (currency, limit, above) => {
    expect([limit, above].map((total) => asked(total, currency, { category: 'it' }))).toEqual(['', 'it 1']);
    expect(asked(above, currency, { category: 'services' })).toBe('purchasing 1');
    expect(asked(above, currency)).toBe('');
  });

  it('asks a role once, in the order of the matrix, with every reason', () => {
    const needs = approvalsFor(policy, { vendor: NEW, currency: 'EUR', total: '50000.01', category: 'it' });
    expect(needs.map(({ role }) => role)).toEqual(['purchasing', 'it', 'finance']);
    expect(needs[0]?.reason).toMatch(/^.+ \(above 10000\.00 EUR\); .+ \(above 2000\.00 EUR\)$/);
  });

  it('takes the highest quorum of a role', () => {
    const above = { EUR: '0' };
    const rules = [1, 3, 2].map((quorum) => ({ role: 'finance', quorum, reason: 'r', above }));
    const needs = approvalsFor({ ...policy, approvals: rules }, { vendor: KNOWN, currency: 'EUR', total: '1' });
    expect(needs.map(({ quorum }) => quorum)).toEqual([3]);
  });

  it('knows a vendor in any spelling', () => {
    expect(asked('9000.00', 'EUR', { vendor: 'fräswerk  SÜD ag' })).toBe('');
  });

  it('asks when a rule has no limit in the currency', () => {
    const rules = [{ role: 'finance', quorum: 1, reason: 'r', above: { USD: '1' } }];
    const facts = { vendor: KNOWN, currency: 'EUR', total: '0.01' };
    expect(approvalsFor({ ...policy, approvals: rules }, facts)).toHaveLength(1);
  });
});
