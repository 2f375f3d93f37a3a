/** What a person decided on an approval, and whether it counts. */
import {
  isAsked,
  isOwnRequest,
  isSamePerson,
  peopleOf,
  type Approval,
  type ApprovalChoice,
  type DecidedApproval,
  type Person,
  type Vote,
} from './approval.ts';

/** What a person decided, as the front signs it. */
export interface Decision {
  readonly taskId: string;
  readonly approvalId: string;
  /** Of what was shown, see `shownText`. */
  readonly digest: string;
  readonly person: Person;
  /** Which the person held when they decided. */
  readonly roles: readonly string[];
  readonly onBehalfOf?: Person & { readonly roles: readonly string[] };
  readonly choice: ApprovalChoice;
  readonly option?: string;
  readonly reason?: string;
  /** Minted with the page: the same decision sent twice is one. */
  readonly updateId: string;
  /** Epoch ms on the front's clock. */
  readonly decidedAt: number;
  /** Whoever held the link of the approval; it stands in for who they are. */
  readonly byLink?: true;
}

export interface SignedDecision {
  readonly decision: Decision;
  /** By the front; see encryption/decision-signing.ts. */
  readonly signature: string;
}

/** Why a decision did not count. */
export type DecisionRefusal =
  | { readonly code: 'unknown' }
  | { readonly code: 'decided'; readonly decided: DecidedApproval }
  | { readonly code: 'expired' | 'own' | 'not_asked' | 'not_offered' | 'changed' | 'unsigned' | 'unchecked' }
  | { readonly code: 'voted'; readonly at: number };

export type DecisionVerdict =
  | { readonly counted: true; readonly votes: number; readonly quorum: number; readonly decided?: DecidedApproval }
  | { readonly counted: false; readonly refusal: DecisionRefusal };

export const MAX_REASON_CHARS = 1_000;

/** What is signed of a decision: no two decisions share it. */
export function decisionText(decision: Decision): string {
  const { taskId, approvalId, digest, person, roles, onBehalfOf, choice, option, reason, updateId, decidedAt } =
    decision;
  const { byLink } = decision;
  return JSON.stringify([
    'decision',
    [taskId, approvalId, digest, updateId, decidedAt],
    [choice, option ?? null, reason ?? null],
    [personParts(person), roles],
    onBehalfOf === undefined ? null : [personParts(onBehalfOf), onBehalfOf.roles],
    ...(byLink === true ? ['by link'] : []),
  ]);
}

function personParts({ principals, subject, organisation, name }: Person): readonly unknown[] {
  return [principals, subject, organisation ?? null, name];
}

/**
 * A1 to A3 and A5, before anything changes; `undefined` when the decision counts. `requester` are the hashes under which
 * the task's caller is known.
 */
export function refusalOf(
  approval: Approval,
  decision: Decision,
  { requester, at }: { readonly requester: string; readonly at: number },
): DecisionRefusal | undefined {
  const { person, onBehalfOf } = decision;
  if (at >= approval.dueAt) return { code: 'expired' };
  const deciding = onBehalfOf === undefined ? [person] : [person, onBehalfOf];
  if (deciding.some((one) => isOwnRequest(approval, requester, one))) return { code: 'own' };
  if (!mayDecide(approval, decision)) return { code: 'not_asked' };
  const before = approval.votes.find((vote) =>
    peopleOf(vote).some((voted) => deciding.some((one) => isSamePerson(voted, one))),
  );
  if (before !== undefined) return { code: 'voted', at: before.at };
  return isOffered(approval, decision) ? undefined : { code: 'not_offered' };
}

/** A2: where a link decides, no role and no name does, and nowhere else does a link. */
function mayDecide(approval: Approval, { person, roles, onBehalfOf, byLink }: Decision): boolean {
  if (approval.link !== undefined || byLink === true) return approval.link !== undefined && byLink === true;
  return onBehalfOf === undefined ? isAsked(approval, person, roles) : isAsked(approval, onBehalfOf, onBehalfOf.roles);
}

function isOffered(
  { rejectOptions, canRequestChanges, needsReason, link }: Approval,
  { choice, option, reason }: Decision,
): boolean {
  const words = reason?.trim() ?? '';
  if (words.length > MAX_REASON_CHARS) return false;
  switch (choice) {
    case 'approve':
      return option === undefined && (needsReason === undefined || words !== '');
    case 'request_changes':
      return canRequestChanges && option === undefined && words !== '';
    case 'reject':
      // Nobody outside owes a reason.
      if (link !== undefined) return link.isStanding !== true && option === undefined;
      return (
        words !== '' &&
        (rejectOptions.length === 0 ? option === undefined : rejectOptions.some(({ value }) => value === option))
      );
    default:
      return false;
  }
}

export function voteOf({ person, onBehalfOf, choice, option, reason }: Decision, at: number): Vote {
  const words = reason?.trim() ?? '';
  return {
    person: signedOf(person),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf: signedOf(onBehalfOf) }),
    choice,
    ...(option === undefined ? {} : { option }),
    ...(words === '' ? {} : { reason: words }),
    at,
  };
}

/** What the signature covers, and nothing that somebody has put beside it. */
function signedOf({ principals, subject, organisation, name }: Person): Person {
  return { principals, subject, ...(organisation === undefined ? {} : { organisation }), name };
}
