import { describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  evaluatePolicy,
  readPolicy,
  type PolicyFacts,
  type PurchasePolicy,
} from '../../../activities/purchase-policy.ts';
import { temporaryFolder } from '../../support/processes.ts';

const policy: PurchasePolicy = {
  version: 'v1',
  costCentres: [{ code: '1100', name: 'Office' }],
  currencies: { EUR: { justificationAbove: '1000.00', approvalAbove: '5000.00' } },
  justificationMinLength: 20,
  neededByWithinDays: 30,
  blockedVendors: [{ name: 'Blocked Ltd', reason: 'the contract has ended' }],
};
const TODAY = '2026-11-29';
const LONG_ENOUGH = 'The old one is broken.';

function facts(overrides: Partial<PolicyFacts> = {}): PolicyFacts {
  return { vendor: 'V1', currency: 'EUR', total: '100.00', costCentre: '1100', ...overrides };
}

describe('evaluatePolicy', () => {
  it('posts a small order with a known cost centre and asks nothing', () => {
    expect(evaluatePolicy(policy, facts(), TODAY)).toEqual({
      policyVersion: 'v1',
      refusals: [],
      status: 'posted',
      approvalAbove: '5000.00',
      missing: {},
    });
  });

  it.each([undefined, '9999'])('asks for the cost centre when it is %p', (costCentre) => {
    const { missing } = evaluatePolicy(policy, facts({ costCentre }), TODAY);
    expect(missing).toEqual({ costCentre: { options: [{ value: '1100', title: '1100 Office' }] } });
  });

  it.each([
    ['1000.00', undefined, false],
    ['1000.01', undefined, true],
    ['1000.01', 'too short', true],
    ['1000.01', LONG_ENOUGH, false],
  ])('at %s and with the justification %p it is missing: %p', (total, justification, isMissing) => {
    const { missing } = evaluatePolicy(policy, facts({ total, justification }), TODAY);
    expect(missing.justification !== undefined).toBe(isMissing);
  });

  it.each([
    ['5000.00', 'posted'],
    ['5000.01', 'draft'],
  ])('at %s the order is %s', (total, status) => {
    expect(evaluatePolicy(policy, facts({ total, justification: LONG_ENOUGH }), TODAY).status).toBe(status);
  });

  it.each([
    ['a currency without limits', { currency: 'USD' }, 'currency: orders are placed in EUR only.'],
    ['a blocked vendor in any spelling', { vendor: 'ＢＬＯＣＫＥＤ  ltd' }, 'vendor: nothing may be ordered there'],
    ['a day that has passed', { neededBy: '2026-11-27' }, 'neededBy: this day has passed.'],
    ['a day too far ahead', { neededBy: '2026-12-30' }, 'neededBy: the day must lie within 30 days.'],
  ])('refuses %s and asks nothing', (_what, overrides, refusal) => {
    const verdict = evaluatePolicy(policy, facts({ costCentre: undefined, ...overrides }), TODAY);
    expect(verdict.refusals).toHaveLength(1);
    expect(verdict.refusals[0]).toContain(refusal);
    expect(verdict.missing).toEqual({});
  });

  it('takes a day that is still today somewhere', () => {
    expect(evaluatePolicy(policy, facts({ neededBy: '2026-11-28' }), TODAY).refusals).toEqual([]);
  });
});

describe('readPolicy', () => {
  it('reads the policy of the product', async () => {
    expect((await readPolicy('policy/purchase-policy.json')).version).not.toBe('');
  });

  it('does not take a file that is no policy', async () => {
    const file = join(await temporaryFolder(), 'policy.json');
    await writeFile(file, JSON.stringify({ ...policy, currencies: { EUR: { justificationAbove: 1000 } } }));
    await expect(readPolicy(file)).rejects.toThrow('approvalAbove');
  });
});
