/** What stands before the eyes of whoever decides on a candidate. All of it together fits into an approval. */
import type { Hiring, HiringRequest } from './hiring.ts';
import { manyLines } from './many-lines.ts';
import { oneLine } from '../protocol/one-line.ts';

type Entry = readonly [name: string, value: string];

const MAX_NAME_CHARS = 120;
const MAX_LINE_CHARS = 240;
const MAX_LETTER_CHARS = 1_500;
const MAX_VOTES_CHARS = 300;

export function shownCandidate(request: HiringRequest, { sheet, rounds }: Hiring): Readonly<Record<string, string>> {
  const { candidate, position, letter } = request;
  const lines = (sheet?.lines ?? []).map(({ criterion, weight, found, points, why }, index): Entry => [
    `${index + 1}. ${criterion}`,
    oneLine(`${points} of ${weight}: found ${found}; ${why}`, MAX_LINE_CHARS),
  ]);
  const held = rounds.map(({ round, role, result, votes }): Entry => [
    `Round ${round}`,
    oneLine(`${role}: ${result.replaceAll('_', ' ')}, by ${votes.map(({ by }) => by).join(', ')}`, MAX_VOTES_CHARS),
  ]);
  return {
    Position: oneLine(position.title, MAX_NAME_CHARS),
    Candidate: oneLine(candidate.name, MAX_NAME_CHARS),
    ...(sheet === undefined
      ? {}
      : { Score: `${sheet.points} of ${sheet.maxPoints}; ${sheet.minPercent} % are needed` }),
    ...Object.fromEntries(lines),
    ...(letter === undefined ? {} : { 'What the candidate writes': manyLines(letter, MAX_LETTER_CHARS) }),
    ...Object.fromEntries(held),
  };
}
