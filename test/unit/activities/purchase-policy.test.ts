import { describe, expect, it } from '@jest/globals';
import type { PurchasePolicy } from '../../../activities/policy-file.ts';
import { evaluatePolicy, type PolicyFacts } from '../../../activities/purchase-policy.ts';

const policy: PurchasePolicy = {
  version: 'v1',
  costCentres: [{ code: '1100', name: 'Office' }],
  categories: [{ code: 'it', name: 'Machines' }],
  currencies: { EUR: { justificationAbove: '1000.00' } },
  justificationMinLength: 20,
  neededByWithinDays: 30,
  blockedVendors: [{ name: 'Blocked Ltd', reason: 'the contract has ended' }],
  knownVendors: ['V1'],
  orderMail: [{ vendor: 'V1', to: 'orders@v1.example' }],
  approvals: [{ role: 'purchasing', quorum: 1, reason: 'Large', above: { EUR: '5000.00' } }],
  decideWithinHours: 10,
  remindAfterHours: [5],
  escalate: [{ afterHours: 8, role: 'board' }],
};
const TODAY = '2026-11-29';
const LONG_ENOUGH = 'The old one is broken.';
const COST_CENTRES = [{ value: '1100', title: '1100 Office' }];

function facts(overrides: Partial<PolicyFacts> = {}): PolicyFacts {
  return { vendor: 'V1', currency: 'EUR', total: '100.00', costCentre: '1100', ...overrides };
}

describe('evaluatePolicy', () => {
  it('asks nobody anything about a small order with a known cost centre', () => {
    expect(evaluatePolicy(policy, facts(), TODAY)).toEqual({
      policyVersion: 'v1',
      refusals: [],
      costCentres: COST_CENTRES,
      missing: {},
      isNewVendor: false,
      orderMail: { none: 'no-server' },
      approvals: [],
    });
  });

  it.each([
    ['v1 ', true, { to: 'orders@v1.example' }],
    ['V1', false, { none: 'no-server' }],
    ['V2', true, { none: 'no-address' }],
  ])('says where the order of %j goes by mail, with a mail server: %j', (vendor, canMail, orderMail) => {
    expect(evaluatePolicy(policy, facts({ vendor }), TODAY, canMail).orderMail).toEqual(orderMail);
  });

  it.each([undefined, '9999'])('asks for the cost centre when it is %p', (costCentre) => {
    const { missing, costCentres } = evaluatePolicy(policy, facts({ costCentre }), TODAY);
    expect(missing).toEqual({ costCentre: true });
    expect(costCentres).toEqual(COST_CENTRES);
  });

  it.each([
    ['1000.00', undefined, false],
    ['1000.01', undefined, true],
    ['1000.01', 'too short', true],
    ['1000.01', LONG_ENOUGH, false],
    // Whoever decides would read something else than what is written there.
    ['1.00', `${LONG_ENOUGH}\u202egnorw`, true],
  ])('at %s and with the justification %p it is missing: %p', (total, justification, isMissing) => {
    const { missing } = evaluatePolicy(policy, facts({ total, justification }), TODAY);
    expect(missing.justification !== undefined).toBe(isMissing);
  });

  it('names the approval, with its times', () => {
    const { approvals } = evaluatePolicy(policy, facts({ total: '5000.01', justification: LONG_ENOUGH }), TODAY);
    expect(approvals).toEqual([
      {
        role: 'purchasing',
        quorum: 1,
        reason: 'Large (above 5000.00 EUR)',
        withinMs: 36_000_000,
        remindAfterMs: [18_000_000],
        escalations: [{ afterMs: 28_800_000, role: 'board' }],
      },
    ]);
  });

  it.each([
    ['a currency without limits', { currency: 'USD' }, 'currency: orders are placed in EUR only.'],
    ['a blocked vendor in any spelling', { vendor: 'ＢＬＯＣＫＥＤ  ltd' }, 'vendor: nothing may be ordered there'],
    ['a category that is not known', { category: 'IT' }, 'category: must be one of it, or left out'],
    ['a day that has passed', { neededBy: '2026-11-27' }, 'neededBy: this day has passed.'],
    ['a day too far ahead', { neededBy: '2026-12-30' }, 'neededBy: the day must lie within 30 days.'],
  ])('refuses %s and asks nothing', (_what, overrides, refusal) => {
    const large = { total: '9000.00', costCentre: undefined };
    const verdict = evaluatePolicy(policy, facts({ ...large, ...overrides }), TODAY);
    expect(verdict.refusals).toHaveLength(1);
    expect(verdict.refusals[0]).toContain(refusal);
    expect([verdict.missing, verdict.approvals]).toEqual([{}, []]);
  });

  it('takes a day that is still today somewhere', () => {
    expect(evaluatePolicy(policy, facts({ neededBy: '2026-11-28' }), TODAY).refusals).toEqual([]);
  });
});
