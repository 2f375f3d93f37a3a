/** An offer: approved by those whom the policy names, and answered by the candidate, who is outside and has a link. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OfferVerdict } from '../activities/hiring-policy.ts';
import { nameOf } from '../protocol/approval.ts';
import type { ApprovalRequest } from '../protocol/approval-request.ts';
import type { LinkHolder } from '../protocol/link-holder.ts';
import { shownCandidate } from './candidate-shown.ts';
import { SECOND_MS, type Hiring, type HiringOutcome, type HiringRequest } from './hiring.ts';
import { hurriedNeed } from './hurried-need.ts';
import { oneLine } from '../protocol/one-line.ts';
import { toolFailure, type TaskContext } from './tool.ts';

const { checkOffer } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 10 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Check the hiring policy',
});

const MAX_TITLE_CHARS = 80;
const MAX_REASON_CHARS = 1_000;
const DAY_MS = 86_400_000;
/** Longer than any task lives. */
const ALWAYS_MS = 400 * DAY_MS;

/** @throws ToolFailure that says what of the offer the policy refuses */
export async function checkedOffer(
  { candidate, position, offer }: HiringRequest,
  task: TaskContext,
): Promise<OfferVerdict> {
  const today = new Date().toISOString().slice(0, 10);
  const facts = { ...offer, candidate: candidate.name, position: position.title };
  const verdict = await task.step('Check the hiring policy', () => checkOffer({ offer: facts, today }));
  if (verdict.refusals.length === 0) return verdict;
  throw toolFailure(`The hiring policy refuses this offer; nothing was sent.\n${verdict.refusals.join('\n')}`);
}

/** Adds to `hiring` who has approved. */
export async function approveOffer(
  request: HiringRequest,
  verdict: OfferVerdict,
  hiring: Hiring,
  task: TaskContext,
): Promise<boolean> {
  const { decideWithinSeconds } = request;
  const decideWithinMs = decideWithinSeconds === undefined ? undefined : decideWithinSeconds * SECOND_MS;
  for (const policyNeed of verdict.approvals) {
    const { role, quorum, reason, withinMs, remindAfterMs, escalations } = hurriedNeed(policyNeed, decideWithinMs);
    const amount = `${verdict.salary} ${request.offer.currency}`;
    const { result, votes } = await task.approval({
      role,
      title: `Offer: ${titleOf(request)}`,
      amount,
      details: {
        'What happens': 'The candidate gets this offer, and binds both sides by accepting it.',
        ...termsOf(request, verdict),
        ...shownCandidate(request, hiring),
        'Hiring policy': verdict.policyVersion,
      },
      reason: oneLine(reason, MAX_REASON_CHARS),
      quorum,
      withinMs,
      remindAfterMs,
      escalations,
    });
    if (result !== 'approved') return false;
    hiring.offerApprovedBy.push(...votes.map(nameOf));
  }
  return true;
}

/** What the candidate says to it. */
export async function askCandidate(
  request: HiringRequest,
  verdict: OfferVerdict,
  hiring: Hiring,
  task: TaskContext,
): Promise<HiringOutcome> {
  const outcome = await task.approval({
    link: holder(request),
    title: `Offer: ${titleOf(request)}`,
    amount: `${verdict.salary} ${request.offer.currency}`,
    details: termsOf(request, verdict),
    reason: 'This offer is yours to accept or to decline. The first answer counts.',
    withinMs: request.offerValidSeconds * SECOND_MS,
    words: { approve: 'Accept the offer', reject: 'Decline the offer' },
  });
  const reason = outcome.votes.at(-1)?.reason;
  if (reason !== undefined) hiring.answerReason = reason;
  if (outcome.result === 'approved') return 'accepted';
  return outcome.result === 'rejected' ? 'declined' : 'offer_expired';
}

/** Open as long as all of it takes. */
export function withdrawal(request: HiringRequest): ApprovalRequest {
  return {
    link: { ...holder(request), isStanding: true },
    title: `Application: ${titleOf(request)}`,
    details: { Position: titleOf(request) },
    reason: 'Your application is being looked at. You may withdraw it at any time; that cannot be taken back.',
    withinMs: ALWAYS_MS,
    remindAfterMs: [],
    words: { approve: 'Withdraw my application' },
  };
}

function termsOf({ candidate, position, offer }: HiringRequest, { salary, digest }: OfferVerdict) {
  return {
    Candidate: oneLine(candidate.name, MAX_TITLE_CHARS),
    Position: oneLine(position.title, MAX_TITLE_CHARS),
    Salary: `${salary} ${offer.currency} a year`,
    Starts: offer.startDate,
    'Digest of the offer': digest,
  };
}

function holder({ candidate }: HiringRequest): LinkHolder {
  return { name: 'the candidate', mail: candidate.email };
}

function titleOf({ position }: HiringRequest): string {
  return oneLine(position.title, MAX_TITLE_CHARS);
}
