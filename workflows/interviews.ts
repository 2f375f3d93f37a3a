/** Rounds of interviews: each panel answers in the inbox, one round after the other. Whoever says no ends it. */
import { nameOf, type Vote } from '../protocol/approval.ts';
import type { ApprovalOutcome } from '../protocol/approval-request.ts';
import { shownCandidate } from './candidate-shown.ts';
import {
  SECOND_MS,
  type GivenVote,
  type HeldRound,
  type Hiring,
  type HiringRequest,
  type InterviewRound,
} from './hiring.ts';
import { oneLine } from '../protocol/one-line.ts';
import type { TaskContext } from './tool.ts';

/** However often a panel wants another one. */
export const MAX_ROUNDS = 5;
const ESCALATE_AFTER = 0.5;
const SAID = { approve: 'hire', reject: 'no hire', request_changes: 'another round' } as const;

/** What has been held is added to `hiring`. */
export async function holdInterviews(
  request: HiringRequest,
  hiring: Hiring,
  task: TaskContext,
): Promise<'hire' | 'no_hire' | 'not_decided'> {
  const left = [...request.rounds];
  for (let round = left.shift(); round !== undefined; round = left.shift()) {
    const number = hiring.rounds.length + 1;
    const mayAskAgain = number + left.length < MAX_ROUNDS;
    const outcome = await task.approval(interview(request, hiring, { round, number, mayAskAgain }));
    const held = heldRound(number, round, outcome);
    hiring.rounds.push(held);
    task.describe({ [`Round ${number}`]: `${round.role}: ${held.result.replaceAll('_', ' ')}` });
    if (held.result === 'another_round') left.unshift(round);
    else if (held.result !== 'hire') return held.result === 'no_hire' ? 'no_hire' : 'not_decided';
  }
  return 'hire';
}

interface Next {
  readonly round: InterviewRound;
  readonly number: number;
  readonly mayAskAgain: boolean;
}

function interview(request: HiringRequest, hiring: Hiring, { round, number, mayAskAgain }: Next) {
  const { role, quorum, withinSeconds, escalateTo } = round;
  const withinMs = withinSeconds * SECOND_MS;
  return {
    role,
    title: `Interview ${number}: ${oneLine(request.position.title, 80)}`,
    details: shownCandidate(request, hiring),
    reason:
      `This is round ${number} of interviews. ${quorum} of ${role} have to say "hire"; whoever says "no hire" ends it. ` +
      'Say why, in either case.',
    quorum,
    withinMs,
    ...(escalateTo === undefined ? {} : { escalations: [{ afterMs: withinMs * ESCALATE_AFTER, role: escalateTo }] }),
    rejectOptions: [
      { value: 'skills', title: 'Skills' },
      { value: 'experience', title: 'Experience' },
      { value: 'other', title: 'Another reason' },
    ],
    canRequestChanges: mayAskAgain,
    words: { approve: 'Hire', reject: 'No hire', request_changes: 'Another round' },
    needsReason: true as const,
  };
}

function heldRound(round: number, { role }: InterviewRound, { result, votes }: ApprovalOutcome): HeldRound {
  const results = {
    approved: 'hire',
    rejected: 'no_hire',
    changes_requested: 'another_round',
    expired: 'not_decided',
    withdrawn: 'broken_off',
  } as const;
  return { round, role, result: results[result], votes: votes.map(givenVote) };
}

function givenVote(vote: Vote): GivenVote {
  return { by: nameOf(vote), said: SAID[vote.choice], reason: vote.reason ?? '' };
}
