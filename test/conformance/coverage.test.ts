import { describe, expect, it } from '@jest/globals';
import { files, read } from '../architecture/tree.ts';
import { readExpectedFailures } from './expected-failures.ts';
import { LEGS } from './legs.ts';
import { requirements } from './requirements.ts';

const entries = Object.entries(requirements);
const cited = citedIds();

/** By id, the test files that cite it. */
function citedIds(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of files.filter((name) => /^test\/.*\.test\.ts$/.test(name))) {
    const calls = read(file).matchAll(/\bverifies\(([^)]*)\)/g);
    const ids = [...calls].flatMap(([, list = '']) => [...list.matchAll(/'([^']*)'/g)].map(([, id = '']) => id));
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}

describe('every requirement on a server', () => {
  it('is cited by a test, checked by a scenario of the official suite, or excused', () => {
    const open = entries.filter(([id, { scenario, excused }]) => !cited.has(id) && !scenario && !excused);
    expect(open.map(([id]) => id)).toEqual([]);
  });

  it('that is cited is known, and not excused', () => {
    const known = new Map(entries);
    expect([...cited].filter(([id]) => !known.has(id))).toEqual([]);
    expect([...cited.keys()].filter((id) => known.get(id)?.excused !== undefined)).toEqual([]);
  });

  it('that is left to a scenario is left to one that must pass', async () => {
    const expected = await Promise.all(LEGS.map(async (leg) => readExpectedFailures(leg.expectedFailures)));
    const failing = new Set(expected.flatMap((names) => [...names]).map((name) => name.split(':')[0]));
    const left = entries.flatMap(([, { scenario }]) => (scenario === undefined ? [] : [scenario]));
    expect(left.filter((name) => failing.has(name))).toEqual([]);
  });

  it('that is excused says why', () => {
    const excuses = entries.flatMap(([, { excused }]) => (excused === undefined ? [] : [excused]));
    expect(excuses.filter((reason) => !/^\S+ \S+ .*\.$/.test(reason))).toEqual([]);
  });
});
