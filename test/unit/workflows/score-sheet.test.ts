import { describe, expect, it } from '@jest/globals';
import { scoreSheet, type Criterion, type Cv } from '../../../workflows/score-sheet.ts';

const cv: Cv = {
  yearsOfExperience: 2,
  education: 'bachelor',
  skills: [
    { name: 'Go', level: 1 },
    { name: ' go ', level: 2 },
  ],
  languages: [{ name: 'Deutsch', level: 'B1' }],
};

function lineOf(criterion: Criterion, letter?: Parameters<typeof scoreSheet>[2]) {
  return scoreSheet(cv, { criteria: [criterion], minPercent: 0 }, letter).lines[0];
}

describe('a line', () => {
  it.each<[Criterion, string, string, string]>([
    [{ kind: 'skill', name: 'GO', level: 3, weight: 10 }, 'level 2', '6.67', '10 × 2/3'],
    [{ kind: 'skill', name: 'Rust', level: 3, weight: 10 }, 'level 0', '0.00', 'not found'],
    [{ kind: 'language', name: 'deutsch', level: 'C2', weight: 7 }, 'B1', '3.50', '7 × 3/6'],
    [{ kind: 'language', name: 'Suomi', level: 'A1', weight: 7 }, 'none', '0.00', 'not found'],
    [{ kind: 'experience', years: 3, weight: 1 }, '2 years', '0.67', '1 × 2/3'],
    [{ kind: 'experience', years: 2, weight: 4 }, '2 years', '4.00', 'all that is asked for'],
    [{ kind: 'education', level: 'master', weight: 8 }, 'bachelor', '6.00', '8 × 3/4'],
    [{ kind: 'education', level: 'none', weight: 8 }, 'bachelor', '8.00', 'all that is asked for'],
  ])('says what was found and what it is worth: %j', (criterion, found, points, why) => {
    expect(lineOf(criterion)).toMatchObject({ weight: criterion.weight, found, points, why });
  });

  it('of a letter says who scored it, on one line', () => {
    const letter = { score: 7, by: 'model m-1', why: 'Likes\ntrains.' };
    expect(lineOf({ kind: 'letter', weight: 15 }, letter)).toEqual({
      criterion: 'Letter of motivation',
      weight: 15,
      found: '7 of 10',
      points: '10.50',
      why: 'model m-1: Likes trains.',
    });
    expect(lineOf({ kind: 'letter', weight: 15 })).toMatchObject({ found: '0 of 10', points: '0.00' });
  });
});

describe('the sheet', () => {
  const thirds: Criterion[] = [
    { kind: 'experience', years: 3, weight: 1 },
    { kind: 'experience', years: 3, weight: 1 },
    { kind: 'experience', years: 3, weight: 1 },
  ];

  it('adds up what its lines show', () => {
    // Two thirds of three would be 2.00: what is shown are three times 0.67.
    expect(scoreSheet(cv, { criteria: thirds, minPercent: 67 })).toMatchObject({
      points: '2.01',
      maxPoints: '3.00',
      isPassed: true,
    });
    expect(scoreSheet(cv, { criteria: thirds, minPercent: 68 }).isPassed).toBe(false);
  });

  it('is passed by exactly the points that are needed', () => {
    const criteria: Criterion[] = [{ kind: 'education', level: 'master', weight: 8 }];
    expect(scoreSheet(cv, { criteria, minPercent: 75 }).isPassed).toBe(true);
    expect(scoreSheet(cv, { criteria, minPercent: 76 }).isPassed).toBe(false);
  });

  it('is not passed without what is required, whatever the points', () => {
    const criteria: Criterion[] = [
      { kind: 'education', level: 'bachelor', weight: 90, isRequired: true },
      { kind: 'skill', name: 'Rust', level: 1, weight: 1, isRequired: true },
    ];
    expect(scoreSheet(cv, { criteria, minPercent: 50 })).toMatchObject({ isPassed: false, unmet: ['Rust, level 1'] });
  });
});
