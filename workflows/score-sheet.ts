/**
 * What a CV is worth by the criteria of a position: one line a criterion, and the sum of what the lines show. Points are whole
 * hundredths, rounded half up line by line, so that whoever adds the lines up by hand comes to the same sum.
 */
import { oneLine } from '../protocol/one-line.ts';

export const LANGUAGE_LEVELS = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const;
export const EDUCATION_LEVELS = ['none', 'school', 'vocational', 'bachelor', 'master', 'doctorate'] as const;
/** A letter is scored from 0 to this. */
export const MAX_LETTER_SCORE = 10;

export interface Cv {
  readonly yearsOfExperience: number;
  readonly education: (typeof EDUCATION_LEVELS)[number];
  /** Levels from 1 to 5. */
  readonly skills: readonly { readonly name: string; readonly level: number }[];
  readonly languages: readonly { readonly name: string; readonly level: (typeof LANGUAGE_LEVELS)[number] }[];
}

interface Weighted {
  /** Points when all of it is found: a whole number. */
  readonly weight: number;
  /** Less than all of it is not enough. */
  readonly isRequired?: boolean | undefined;
}

export type Criterion = Weighted &
  (
    | { readonly kind: 'skill'; readonly name: string; readonly level: number }
    | { readonly kind: 'language'; readonly name: string; readonly level: (typeof LANGUAGE_LEVELS)[number] }
    | { readonly kind: 'experience'; readonly years: number }
    | { readonly kind: 'education'; readonly level: (typeof EDUCATION_LEVELS)[number] }
    | { readonly kind: 'letter' }
  );

/** How convincing the letter is, and who says so. */
export interface LetterScore {
  readonly score: number;
  readonly by: string;
  readonly why: string;
}

export interface SheetLine {
  readonly criterion: string;
  readonly weight: number;
  readonly found: string;
  /** Decimal string with two decimals. */
  readonly points: string;
  readonly why: string;
}

export interface ScoreSheet {
  readonly lines: readonly SheetLine[];
  readonly points: string;
  readonly maxPoints: string;
  readonly minPercent: number;
  readonly isPassed: boolean;
  /** The criteria that are required and not met. */
  readonly unmet: readonly string[];
}

/** Whole numbers: so much of so much was found. */
interface Finding {
  readonly criterion: string;
  readonly found: string;
  readonly reached: number;
  readonly wanted: number;
  readonly why?: string;
}

const MAX_NAME_CHARS = 60;
const MAX_WHY_CHARS = 300;

/** `letter`: there when a criterion asks for it. */
export function scoreSheet(
  cv: Cv,
  { criteria, minPercent }: { readonly criteria: readonly Criterion[]; readonly minPercent: number },
  letter?: LetterScore,
): ScoreSheet {
  const scored = criteria.map((each) => ({ ...each, finding: findingOf(each, cv, letter) }));
  const lines = scored.map(({ weight, finding }): SheetLine => {
    const { criterion, found } = finding;
    return { criterion, weight, found, points: inPoints(hundredthsOf(weight, finding)), why: whyOf(weight, finding) };
  });
  const sum = scored.reduce((total, { weight, finding }) => total + hundredthsOf(weight, finding), 0);
  const max = scored.reduce((total, { weight }) => total + weight, 0);
  const unmet = scored
    .filter(({ isRequired, finding: { reached, wanted } }) => isRequired === true && reached < wanted)
    .map(({ finding }) => finding.criterion);
  return {
    lines,
    points: inPoints(sum),
    maxPoints: inPoints(max * 100),
    minPercent,
    // Hundredths of points against percents of them: both sides are whole numbers.
    isPassed: unmet.length === 0 && sum >= minPercent * max,
    unmet,
  };
}

function findingOf(criterion: Criterion, cv: Cv, letter: LetterScore | undefined): Finding {
  switch (criterion.kind) {
    case 'skill': {
      const { name, level } = criterion;
      const reached = best(cv.skills, name, (skill) => skill.level);
      return { criterion: `${shown(name)}, level ${level}`, found: `level ${reached}`, reached, wanted: level };
    }
    case 'language': {
      const { name, level } = criterion;
      const reached = best(cv.languages, name, (language) => LANGUAGE_LEVELS.indexOf(language.level) + 1);
      const found = LANGUAGE_LEVELS[reached - 1] ?? 'none';
      return { criterion: `${shown(name)}, ${level}`, found, reached, wanted: LANGUAGE_LEVELS.indexOf(level) + 1 };
    }
    case 'experience':
      return {
        criterion: `${criterion.years} years of experience`,
        found: `${cv.yearsOfExperience} years`,
        reached: cv.yearsOfExperience,
        wanted: criterion.years,
      };
    case 'education': {
      const reached = EDUCATION_LEVELS.indexOf(cv.education);
      const wanted = EDUCATION_LEVELS.indexOf(criterion.level);
      return { criterion: `Education: ${criterion.level}`, found: cv.education, reached, wanted };
    }
    case 'letter': {
      const { score = 0, by = 'nobody', why = '' } = letter ?? {};
      const said = oneLine(`${by}: ${why}`, MAX_WHY_CHARS);
      const found = `${score} of ${MAX_LETTER_SCORE}`;
      return { criterion: 'Letter of motivation', found, reached: score, wanted: MAX_LETTER_SCORE, why: said };
    }
  }
}

/** Named twice, the better one counts, in whatever order. */
function best<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  levelOf: (entry: Entry) => number,
): number {
  return Math.max(0, ...entries.filter((entry) => plain(entry.name) === plain(name)).map(levelOf));
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function shown(name: string): string {
  return oneLine(name, MAX_NAME_CHARS);
}

/** More than is wanted is worth no more. */
function hundredthsOf(weight: number, { reached, wanted }: Finding): number {
  if (reached >= wanted) return weight * 100;
  return Math.floor((2 * weight * 100 * reached + wanted) / (2 * wanted));
}

function whyOf(weight: number, { reached, wanted, why }: Finding): string {
  if (why !== undefined) return why;
  if (reached >= wanted) return 'all that is asked for';
  return reached <= 0 ? 'not found' : `${weight} × ${reached}/${wanted}`;
}

function inPoints(hundredths: number): string {
  const digits = String(hundredths).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
