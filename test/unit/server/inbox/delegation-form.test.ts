import { describe, expect, it } from '@jest/globals';
import { delegationOf } from '../../../../server/inbox/delegation-form.ts';

const self = { subject: 'finance-1', name: 'Finance 1', roles: ['finance', 'board'] };
const approvers = [self, { subject: 'clerk-1', name: 'Clerk 1', roles: [] }];
const now = Date.parse('2026-08-03T10:00:00.000Z');
const filling = { to: 'clerk-1', role: '', from: '2026-08-03', until: '2026-08-14' };

function read(more: Readonly<Record<string, string>> = {}): ReturnType<typeof delegationOf> {
  return delegationOf(new Map(Object.entries({ ...filling, ...more })), { self, approvers, now });
}

describe('delegationOf', () => {
  it('reaches from this moment to the end of the last day', () => {
    expect(read()).toEqual({ to: 'clerk-1', fromAt: now, untilAt: Date.parse('2026-08-15T00:00:00.000Z') });
  });

  it('begins with the first day, where that is to come', () => {
    expect(read({ from: '2026-08-04' })).toMatchObject({ fromAt: Date.parse('2026-08-04T00:00:00.000Z') });
  });

  it('covers one role alone, where one is chosen', () => {
    expect(read({ role: 'board' })).toMatchObject({ role: 'board' });
  });

  it('takes 90 days, and not one more', () => {
    expect(read({ until: '2026-10-31' })).toMatchObject({ untilAt: Date.parse('2026-11-01T00:00:00.000Z') });
    expect(read({ until: '2026-11-01' })).toMatch('At most 90 days');
  });

  it.each([
    ['Nobody stands in for themselves', { to: 'finance-1' }],
    ['Choose one of the people', { to: 'stranger' }],
    ['Choose one of the people', { to: '' }],
    ['Choose one of your roles', { role: 'it' }],
    ['as a date', { from: '' }],
    ['as a date', { until: '2026-02-30' }],
    ['as a date', { until: '14.8.2026' }],
    ['before the first', { until: '2026-08-02' }],
    ['over already', { from: '2026-08-01', until: '2026-08-02' }],
  ])('says %s', (words, more) => {
    expect(read(more)).toContain(words);
  });
});
