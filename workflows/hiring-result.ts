/** How a hiring has ended, in words and as data. */
import type { JsonObject, ToolResult } from '../protocol/task.ts';
import type { Hiring, HiringOutcome, HiringRequest } from './hiring.ts';
import { toolResult } from './tool.ts';

const ENDED: Readonly<Record<HiringOutcome, string>> = {
  accepted: 'The candidate has accepted the offer',
  declined: 'The candidate has declined the offer',
  offer_expired: 'The candidate has not answered the offer in time',
  offer_not_approved: 'The offer was not approved',
  no_hire: 'A panel said no',
  not_decided_in_time: 'Nobody decided in time',
  rejected_at_screening: 'The candidate was rejected at the screening',
  withdrawn_by_candidate: 'The candidate has withdrawn the application',
};

export function hiringResult(
  { candidate, position, offer }: HiringRequest,
  hiring: Hiring,
  { outcome, taskId }: { readonly outcome: HiringOutcome; readonly taskId: string },
): ToolResult {
  const { stage, sheet, rounds, offerApprovedBy, policyVersion, offerDigest, answerReason } = hiring;
  const wasOffered = stage === 'offer';
  const structured = {
    outcome,
    stage,
    endedBy: endedBy(outcome),
    candidate: candidate.name,
    position: position.title,
    sheet: sheet ?? null,
    rounds,
    offer: {
      ...offer,
      ...(offerDigest === undefined ? {} : { digest: offerDigest }),
      ...(policyVersion === undefined ? {} : { policyVersion }),
      approvedBy: offerApprovedBy,
      offeredTo: wasOffered ? candidate.email : null,
    },
    answer:
      wasOffered && (outcome === 'accepted' || outcome === 'declined')
        ? { said: outcome, reason: answerReason ?? '' }
        : null,
    taskId,
  };
  const score = sheet === undefined ? '' : ` Score: ${sheet.points} of ${sheet.maxPoints}.`;
  const text = `${ENDED[outcome]}: ${candidate.name}, ${position.title}.${score}`;
  // JSON is what it is by construction: texts, whole numbers, lists.
  return toolResult(text, { structured: structured as unknown as JsonObject });
}

function endedBy(outcome: HiringOutcome): string {
  switch (outcome) {
    case 'accepted':
    case 'declined':
    case 'withdrawn_by_candidate':
      return 'candidate';
    case 'no_hire':
      return 'panel';
    case 'offer_not_approved':
      return 'approvers';
    case 'rejected_at_screening':
      return 'criteria';
    case 'offer_expired':
    case 'not_decided_in_time':
      return 'time';
  }
}
