import { describe, expect, it } from '@jest/globals';
import { isWanted, listQuery } from '../../../../server/temporal/list-query.ts';

const OWN = 'McpPrincipal IN ("aa", "bb") AND ExecutionStatus != "ContinuedAsNew"';
const NOON = Date.parse('2026-11-29T12:00:00.000Z');

describe('the query of a list', () => {
  it('is bound to the principals, whatever the filter', () => {
    expect(listQuery(['aa', 'bb'], {})).toBe(OWN);
    expect(listQuery(['aa', 'bb'], { tool: 'purchase_order', status: 'failed' })).toBe(
      `${OWN} AND WorkflowType = "purchase_order" AND ExecutionStatus IN ("Failed", "Terminated", "TimedOut")`,
    );
  });

  it('looks a minute beyond the times, since two clocks may differ', () => {
    expect(listQuery(['aa', 'bb'], { createdFrom: NOON, createdBefore: NOON + 1 })).toBe(
      `${OWN} AND StartTime >= "2026-11-29T11:59:00.000Z" AND StartTime < "2026-11-29T12:01:00.001Z"`,
    );
  });

  it.each([-1e14, 1e15])('keeps the time %d within what a query can hold', (at) => {
    expect(listQuery(['aa'], { createdBefore: at })).toMatch(/"(1970|9999)-\d\d-\d\dT[\d:.]+Z"$/);
  });

  it.each(['x" OR "1" = "1', "x' OR 1=1", '', 'a b', 'a\\', 'a\n', 'purchase_order)'])(
    'is not made with the tool %j',
    (tool) => {
      expect(() => listQuery(['aa'], { tool })).toThrow('not checked');
      expect(() => listQuery([tool], {})).toThrow('not checked');
    },
  );
});

describe('a row', () => {
  const row = { status: 'working', createdAt: new Date(NOON).toISOString() } as const;

  it.each([
    [{}, true],
    [{ createdFrom: NOON }, true],
    [{ createdFrom: NOON + 1 }, false],
    [{ createdBefore: NOON }, false],
    [{ createdBefore: NOON + 1 }, true],
    [{ status: 'working' }, true],
    [{ status: 'failed' }, false],
  ] as const)('fits %j: %j', (filter, isFit) => {
    expect(isWanted(row, filter)).toBe(isFit);
  });
});
