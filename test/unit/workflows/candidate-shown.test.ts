import { describe, expect, it } from '@jest/globals';
import { approvalContent } from '../../../protocol/approval-request.ts';
import { shownCandidate } from '../../../workflows/candidate-shown.ts';
import type { Hiring, HiringRequest } from '../../../workflows/hiring.ts';
import { manyLines } from '../../../workflows/many-lines.ts';
import { scoreSheet, type Criterion } from '../../../workflows/score-sheet.ts';

/** As long as the tool lets them be, and as long as JSON can make them. */
const NAME = '"\\'.repeat(30);

describe('what a panel is shown', () => {
  it('fits into an approval, however much there is of it', () => {
    const criteria: Criterion[] = Array.from({ length: 15 }, (_, index) =>
      index === 0 ? { kind: 'letter', weight: 100 } : { kind: 'skill', name: NAME, level: 5, weight: 100 },
    );
    const candidate = {
      name: NAME.repeat(2),
      email: 'robin@example.com',
      yearsOfExperience: 1,
      education: 'school',
      skills: [],
      languages: [],
    } as const;
    const position = { title: NAME, criteria, minPercent: 1 };
    const request = { candidate, position, letter: '"\n'.repeat(4_000) } as unknown as HiringRequest;
    const votes = Array.from({ length: 10 }, () => ({ by: NAME.repeat(3), said: 'hire', reason: NAME.repeat(10) }));
    const rounds = [1, 2, 3, 4].map((round) => ({ round, role: '"'.repeat(64), result: 'hire' as const, votes }));
    const letter = { score: 1, by: NAME, why: '"'.repeat(300) };
    const hiring: Hiring = {
      stage: 'interviews',
      rounds,
      offerApprovedBy: [],
      sheet: scoreSheet(candidate, position, letter),
    };
    const details = shownCandidate(request, hiring);
    const reason = 'x'.repeat(1_000);
    const content = approvalContent({ role: 'r', title: 't', details, reason, withinMs: 1 }, '"'.repeat(200));
    expect(JSON.stringify(content).length).toBeLessThan(15_000);
  });
});

describe('manyLines', () => {
  it('keeps lines, and nothing that is not seen', () => {
    expect(manyLines('Dear\u202e all,\r\n\r\nyes.\u0000\n', 100)).toBe('Dear all,\n\nyes.');
    expect(manyLines('abcdef', 4)).toBe('abc…');
  });
});
