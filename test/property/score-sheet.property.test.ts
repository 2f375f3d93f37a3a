import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EDUCATION_LEVELS, LANGUAGE_LEVELS, scoreSheet, type Criterion, type Cv } from '../../workflows/score-sheet.ts';

const name = fc.constantFrom('a', 'A', ' b ', 'ﬁ', 'fi');
const level = fc.integer({ min: 1, max: 5 });
const languageLevel = fc.constantFrom(...LANGUAGE_LEVELS);
const cv: fc.Arbitrary<Cv> = fc.record({
  yearsOfExperience: fc.integer({ min: 0, max: 70 }),
  education: fc.constantFrom(...EDUCATION_LEVELS),
  skills: fc.array(fc.record({ name, level })),
  languages: fc.array(fc.record({ name, level: languageLevel })),
});
const weighted = { weight: fc.integer({ min: 1, max: 100 }), isRequired: fc.constantFrom(true, undefined) };
const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  fc.record({ kind: fc.constant('skill' as const), name, level, ...weighted }),
  fc.record({ kind: fc.constant('language' as const), name, level: languageLevel, ...weighted }),
  fc.record({ kind: fc.constant('experience' as const), years: fc.integer({ min: 1, max: 60 }), ...weighted }),
  fc.record({ kind: fc.constant('education' as const), level: fc.constantFrom(...EDUCATION_LEVELS), ...weighted }),
  fc.record({ kind: fc.constant('letter' as const), weight: weighted.weight }),
);
const position = fc.record({
  criteria: fc.array(criterion, { minLength: 1, maxLength: 15 }),
  minPercent: fc.integer({ min: 0, max: 100 }),
});
const letter = fc.record({ score: fc.integer({ min: 0, max: 10 }), by: fc.string(), why: fc.string() });

function hundredths(points: string): bigint {
  expect(points).toMatch(/^\d+\.\d\d$/);
  return BigInt(points.replace('.', ''));
}

describe('a score sheet', () => {
  it('adds up to exactly what its lines show, none of which is worth more than its weight', () => {
    fc.assert(
      fc.property(cv, position, letter, (person, asked, scored) => {
        const { lines, points, maxPoints, isPassed, unmet } = scoreSheet(person, asked, scored);
        expect(lines.reduce((sum, line) => sum + hundredths(line.points), 0n)).toBe(hundredths(points));
        expect(lines.reduce((sum, line) => sum + BigInt(line.weight) * 100n, 0n)).toBe(hundredths(maxPoints));
        for (const line of lines) expect(hundredths(line.points) <= BigInt(line.weight) * 100n).toBe(true);
        const enough = hundredths(points) * 100n >= BigInt(asked.minPercent) * hundredths(maxPoints);
        expect(isPassed).toBe(enough && unmet.length === 0);
      }),
    );
  });

  it('is the same in whatever order a CV names things, and never worse for more of them', () => {
    fc.assert(
      fc.property(cv, position, fc.record({ name, level }), (person, asked, skill) => {
        const points = (each: Cv): bigint => hundredths(scoreSheet(each, asked).points);
        const { skills, languages } = person;
        const turned = { ...person, skills: skills.toReversed(), languages: languages.toReversed() };
        expect(points(turned)).toBe(points(person));
        expect(points({ ...person, skills: [...skills, skill] }) >= points(person)).toBe(true);
        expect(points({ ...person, yearsOfExperience: person.yearsOfExperience + 1 }) >= points(person)).toBe(true);
      }),
    );
  });
});
