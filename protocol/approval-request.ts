/** What a tool asks other people to decide, and what it gets back. */
import {
  decisiveVotes,
  type AnswerWords,
  type Approval,
  type ApprovalContent,
  type ApprovalResult,
  type RejectOption,
  type Vote,
} from './approval.ts';
import type { LinkHolder } from './link-holder.ts';

/** Times count from the moment in which it is asked. */
export interface ApprovalRequest {
  /** Everybody who holds this role is asked. */
  readonly role?: string;
  /** Asked by name: subjects, as the issuer of their sign-in names them. */
  readonly people?: readonly string[];
  readonly title: string;
  /** What it is about in money, such as `759.60 EUR`. */
  readonly amount?: string;
  /** Exactly what will happen, name by name. */
  readonly details: Readonly<Record<string, string>>;
  /** Why the policy wants a decision. */
  readonly reason: string;
  /** How many different people have to approve. Default 1. */
  readonly quorum?: number;
  /** Until it expires. */
  readonly withinMs: number;
  /** Default: after half and after nine tenths of the time. */
  readonly remindAfterMs?: readonly number[];
  /** Roles that are asked as well when it takes long. */
  readonly escalations?: readonly { readonly afterMs: number; readonly role: string }[];
  /** What comes out when it expires. Default `expired`. Never an approval: nobody has approved. */
  readonly onExpiry?: 'expired' | 'rejected';
  /** Ways of saying no that the tool tells apart. Default: one, with a reason in words. */
  readonly rejectOptions?: readonly RejectOption[];
  /** Offers a third answer: not like this. Default false. */
  readonly canRequestChanges?: boolean;
  /** Files of the task to look at, `task://` URIs. */
  readonly documents?: readonly string[];
  /** What the answers are called. Default: `Approve`, `Reject`, `Ask for changes`. */
  readonly words?: AnswerWords;
  /** Who approves has to say why as well. Default: who does not. */
  readonly needsReason?: true;
  /** Instead of a role and people: whoever holds a link that the front makes and sends. */
  readonly link?: LinkHolder;
}

export interface ApprovalOutcome {
  readonly id: string;
  readonly result: ApprovalResult;
  readonly votes: readonly Vote[];
  /** Which of the `rejectOptions`. */
  readonly option?: string;
  /** Why it was rejected, or what has to change. */
  readonly reason?: string;
}

const MAX_TITLE_CHARS = 200;
const MAX_CONTENT_CHARS = 16 * 1024;
const MAX_QUORUM = 50;

/** @throws an author's error, which stays until mended code is deployed */
export function approvalContent(request: ApprovalRequest, requestedBy: string): ApprovalContent {
  const { title, amount, details, reason, quorum = 1, withinMs, rejectOptions = [], documents = [] } = request;
  const { words, needsReason, link } = request;
  const asksSomebody = request.role !== undefined || (request.people ?? []).length > 0;
  if (link === undefined && !asksSomebody) fail('names neither a role nor people');
  if (link !== undefined && asksSomebody) fail('is for the holder of a link, and names a role or people');
  if (link !== undefined && quorum !== 1) fail('is for the holder of a link, who is one');
  if (title === '' || title.length > MAX_TITLE_CHARS) fail(`needs a title of at most ${MAX_TITLE_CHARS} characters`);
  if (!Number.isInteger(quorum) || quorum < 1 || quorum > MAX_QUORUM) fail(`has no quorum from 1 to ${MAX_QUORUM}`);
  if (!Number.isFinite(withinMs) || withinMs <= 0) fail('has no time in which it can be decided');
  const canRequestChanges = request.canRequestChanges ?? false;
  const content = {
    title,
    ...(amount === undefined ? {} : { amount }),
    details,
    reason,
    quorum,
    rejectOptions,
    canRequestChanges,
    documents,
    requestedBy,
    ...(words === undefined ? {} : { words }),
    ...(needsReason === undefined ? {} : { needsReason }),
    ...(link === undefined ? {} : { link }),
  };
  if (JSON.stringify(content).length > MAX_CONTENT_CHARS) fail(`shows more than ${MAX_CONTENT_CHARS} characters`);
  return content;
}

function fail(problem: string): never {
  throw new Error(`An approval ${problem}.`);
}

export type Mark =
  | { readonly at: number; readonly kind: 'remind' | 'due' }
  | { readonly at: number; readonly kind: 'escalate'; readonly role: string };

/** What happens while nobody decides, in its order. */
export function marksOf(request: ApprovalRequest, { openedAt, dueAt }: Pick<Approval, 'openedAt' | 'dueAt'>): Mark[] {
  const { withinMs, remindAfterMs = [withinMs / 2, withinMs * 0.9], escalations = [] } = request;
  const marks: Mark[] = [
    ...remindAfterMs.map((afterMs) => ({ at: openedAt + afterMs, kind: 'remind' as const })),
    ...escalations.map(({ afterMs, role }) => ({ at: openedAt + afterMs, kind: 'escalate' as const, role })),
  ];
  const before = marks.filter(({ at }) => at < dueAt).sort((a, b) => a.at - b.at);
  return [...before, { at: dueAt, kind: 'due' }];
}

export function outcomeOfApproval(
  { id, votes }: Pick<Approval, 'id' | 'votes'>,
  result: ApprovalResult,
): ApprovalOutcome {
  const decisive = result === 'approved' ? undefined : decisiveVotes(votes, result).at(-1);
  return {
    id,
    result,
    votes,
    ...(decisive?.option === undefined ? {} : { option: decisive.option }),
    ...(decisive?.reason === undefined ? {} : { reason: decisive.reason }),
  };
}
