import type { Hiring, HiringOutcome, HiringRequest } from '../hiring.ts';
import { hiringResult } from '../hiring-result.ts';
import { holdInterviews, MAX_ROUNDS } from '../interviews.ts';
import { scoreLetter } from '../letter-score.ts';
import { approveOffer, askCandidate, checkedOffer, withdrawal } from '../offer.ts';
import { EDUCATION_LEVELS, LANGUAGE_LEVELS, scoreSheet } from '../score-sheet.ts';
import { defineTool, type TaskContext, type Zod } from '../tool.ts';
import { unlessEnded } from '../way-out.ts';

const DAY_MS = 86_400_000;
const MAX_WAIT_SECONDS = 30 * 86_400;

export const hireCandidate = defineTool({
  name: 'hire_candidate',
  title: 'Hire a candidate',
  description:
    'Takes one candidate through a hiring, which takes weeks: scores a structured CV by weighted criteria, has panels decide ' +
    'after interviews, has the offer approved by other people, and has the candidate accept or decline it by a signed link. ' +
    'The candidate may withdraw at any time by a link of their own, the caller by cancelling the task. Salaries are decimal ' +
    'strings such as "72000.00". Times are seconds.',
  input: (z) =>
    z
      .strictObject({
        candidate: candidateSchema(z),
        letter: z.string().min(1).max(8_000).optional().describe('Letter of motivation, in plain text'),
        position: positionSchema(z),
        letterRole: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .describe('Who scores the letter if no model and no caller does'),
        letterWithinSeconds: z
          .int()
          .min(1)
          .max(MAX_WAIT_SECONDS)
          .default(3 * 86_400),
        rounds: z
          .array(
            z.strictObject({
              role: z.string().min(1).max(64),
              quorum: z.int().min(1).max(10).default(1),
              withinSeconds: z
                .int()
                .min(1)
                .max(MAX_WAIT_SECONDS)
                .default(7 * 86_400),
              escalateTo: z.string().min(1).max(64).optional(),
            }),
          )
          .min(1)
          .max(MAX_ROUNDS)
          .describe('One panel a round, in their order'),
        offer: z.strictObject({
          salary: z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, { error: 'must be a decimal string like "72000.00"' }),
          currency: z.string().regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code like "EUR"' }),
          startDate: z.iso.date().describe('YYYY-MM-DD'),
        }),
        decideWithinSeconds: z
          .int()
          .min(1)
          .max(MAX_WAIT_SECONDS)
          .optional()
          .describe('How long those who approve the offer have, if that is less than the policy gives them'),
        offerValidSeconds: z
          .int()
          .min(1)
          .max(MAX_WAIT_SECONDS)
          .default(7 * 86_400),
      })
      .superRefine(({ letter, position }, context) => {
        const isScored = position.criteria.some(({ kind }) => kind === 'letter');
        if (isScored && letter === undefined) {
          context.addIssue({ code: 'custom', path: ['letter'], message: 'is missing, and a criterion scores it' });
        }
      }),
  task: 'required',
  hasEffects: true,
  ttlMs: 7 * DAY_MS,
  maxTtlMs: 365 * DAY_MS,
  // Who it is about stands in the encrypted part of the run only.
  summary: ({ position }) => position.title.slice(0, 60),

  async run(request, task) {
    const hiring: Hiring = { stage: 'screening', rounds: [], offerApprovedBy: [] };
    task.describe({ Position: request.position.title });
    // What the policy refuses is told before anybody spends weeks on it, and before the candidate hears of it.
    await checkedOffer(request, task);
    const outcome = await unlessEnded(task, withdrawal(request), () => hire(request, hiring, task));
    return hiringResult(request, hiring, { outcome: outcome ?? 'withdrawn_by_candidate', taskId: task.id });
  },
});

async function hire(request: HiringRequest, hiring: Hiring, task: TaskContext): Promise<HiringOutcome> {
  const enter = (stage: Hiring['stage']): void => {
    hiring.stage = stage;
    task.describe({ Stage: stage.replaceAll('_', ' ') });
  };
  enter('screening');
  const { letter, position, candidate } = request;
  const isScored = position.criteria.some(({ kind }) => kind === 'letter');
  const letterScore = isScored && letter !== undefined ? await scoreLetter(request, letter, task) : undefined;
  if (isScored && letterScore === undefined) return 'not_decided_in_time';
  hiring.sheet = scoreSheet(candidate, position, letterScore);
  task.describe({ Score: `${hiring.sheet.points} of ${hiring.sheet.maxPoints}` });
  if (!hiring.sheet.isPassed) return 'rejected_at_screening';

  enter('interviews');
  const interviews = await holdInterviews(request, hiring, task);
  if (interviews !== 'hire') return interviews === 'no_hire' ? 'no_hire' : 'not_decided_in_time';

  enter('offer_approval');
  const verdict = await checkedOffer(request, task);
  hiring.policyVersion = verdict.policyVersion;
  hiring.offerDigest = verdict.digest;
  if (!(await approveOffer(request, verdict, hiring, task))) return 'offer_not_approved';

  enter('offer');
  return askCandidate(request, verdict, hiring, task);
}

function candidateSchema(z: Zod) {
  const name = z.string().trim().min(1).max(60);
  return z.strictObject({
    name: z.string().trim().min(1).max(120),
    email: z.email().max(254),
    yearsOfExperience: z.int().min(0).max(70),
    education: z.enum(EDUCATION_LEVELS),
    skills: z.array(z.strictObject({ name, level: z.int().min(1).max(5) })).max(100),
    languages: z.array(z.strictObject({ name, level: z.enum(LANGUAGE_LEVELS) })).max(20),
  });
}

function positionSchema(z: Zod) {
  const name = z.string().trim().min(1).max(60);
  const weighted = {
    weight: z.int().min(1).max(100).describe('Points when all of it is found'),
    isRequired: z.boolean().optional().describe('Less than all of it is not enough'),
  };
  return z.strictObject({
    title: z.string().trim().min(1).max(80),
    criteria: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('skill'), name, level: z.int().min(1).max(5), ...weighted }),
          z.strictObject({ kind: z.literal('language'), name, level: z.enum(LANGUAGE_LEVELS), ...weighted }),
          z.strictObject({ kind: z.literal('experience'), years: z.int().min(1).max(60), ...weighted }),
          z.strictObject({ kind: z.literal('education'), level: z.enum(EDUCATION_LEVELS), ...weighted }),
          z.strictObject({ kind: z.literal('letter'), weight: weighted.weight }),
        ]),
      )
      .min(1)
      .max(15),
    minPercent: z.int().min(0).max(100).describe('Of all points, to be interviewed'),
  });
}
