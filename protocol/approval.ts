/**
 * A decision that somebody other than the caller takes: who is asked, what was decided, and the rules of it as pure
 * functions. The inbox shows with them, the workflow decides with them.
 *
 * A1  Nobody decides what they have asked for, for themselves or for somebody else.
 * A2  Only who is asked decides.
 * A3  A person counts once, be it by their own vote or by that of a delegate.
 * A4  Exactly one outcome, and it stays.
 * A5  What was received at or after the due time changes nothing.
 */
import type { LinkHolder } from './link-holder.ts';

export type ApprovalChoice = 'approve' | 'reject' | 'request_changes';

/** A way of saying no that a tool tells apart. */
export interface RejectOption {
  readonly value: string;
  readonly title: string;
}

/** What the answers are called where `Approve` and `Reject` are not the words for it. */
export type AnswerWords = Readonly<Partial<Record<ApprovalChoice, string>>>;

/** What stands before the eyes of whoever decides. It never changes: other content is another approval. */
export interface ApprovalContent {
  readonly title: string;
  /** What it is about in money, such as `759.60 EUR`; for the queue's column. */
  readonly amount?: string;
  /** Exactly what will happen, name by name, in the order in which it is shown. */
  readonly details: Readonly<Record<string, string>>;
  /** Why the policy wants a decision. */
  readonly reason: string;
  /** How many different people have to approve. One who rejects is enough. */
  readonly quorum: number;
  readonly rejectOptions: readonly RejectOption[];
  readonly canRequestChanges: boolean;
  readonly words?: AnswerWords;
  /** Who approves says why as well. */
  readonly needsReason?: true;
  /** Whoever holds the link decides, and nobody else. */
  readonly link?: LinkHolder;
  /** Files of the task, `task://` URIs. */
  readonly documents: readonly string[];
  /** Who asks, as they are shown. */
  readonly requestedBy: string;
}

/** Somebody who signed in. */
export interface Person {
  /** Hashes of issuer and subject: under the newest principal key, and under the one before while there is one. */
  readonly principals: readonly string[];
  /** As the issuer names them; what `people` of an approval lists. */
  readonly subject: string;
  /** Of the organisation that the issuer says they belong to, where it tells several apart. */
  readonly organisation?: string;
  /** For other people to read. */
  readonly name: string;
}

/** Whose request it is, as the issuer of their credential names them. */
export type Requester = Pick<Person, 'subject' | 'organisation'>;

export interface Vote {
  readonly person: Person;
  /** The person whose decision this is, when somebody else was delegated to take it. */
  readonly onBehalfOf?: Person;
  readonly choice: ApprovalChoice;
  /** Which of the ways of saying no. */
  readonly option?: string;
  /** In the person's words; there for anything but an approval. */
  readonly reason?: string;
  /** Epoch ms, on Temporal's clock. */
  readonly at: number;
}

/** One that waits for people. Times are epoch ms. */
export interface Approval extends ApprovalContent {
  /** Never used again. */
  readonly id: string;
  /** Everybody who holds one of these roles is asked; escalation adds to them. */
  readonly roles: readonly string[];
  /** Asked by name, beside the roles. */
  readonly people: readonly string[];
  /** Absent in tasks of before it was kept. */
  readonly requester?: Requester;
  readonly openedAt: number;
  readonly dueAt: number;
  readonly votes: readonly Vote[];
}

export type ApprovalResult = 'approved' | 'rejected' | 'changes_requested' | 'expired' | 'withdrawn';

/** One that is over: enough to tell whoever comes late. */
export interface DecidedApproval {
  readonly id: string;
  readonly title: string;
  readonly result: ApprovalResult;
  readonly at: number;
  /** Those whose votes made it so. */
  readonly by: readonly string[];
}

/** What a person agrees to, as one text: its digest goes into the decision. */
export function shownText(taskId: string, tool: string, approval: Approval): string {
  const { id, title, amount, details, reason, quorum, rejectOptions, canRequestChanges, documents, requestedBy } =
    approval;
  const { words, needsReason, link } = approval;
  const options = rejectOptions.map(({ value, title: name }) => [value, name]);
  const lines = Object.entries(details);
  return JSON.stringify([
    ['task', taskId, tool, id],
    ['shown', title, amount ?? null, lines, reason, quorum, options, canRequestChanges, documents, requestedBy],
    // What an approval does not use is left out, as it was before there was such a thing.
    ...(words === undefined ? [] : [['words', Object.entries(words)]]),
    ...(needsReason === undefined ? [] : [['needsReason']]),
    ...(link === undefined ? [] : [['link', link.name, link.mail, link.isStanding ?? false]]),
  ]);
}

/** Whether a person asks for it themselves. A machine's key is another principal than its owner, and the same subject. */
export function isOwnRequest(
  approval: Pick<Approval, 'requester'>,
  requester: string,
  { principals, subject }: Pick<Person, 'principals' | 'subject'>,
): boolean {
  return principals.includes(requester) || subject === approval.requester?.subject;
}

/** Whom something asks. */
export interface AskedPeople extends Pick<Approval, 'people' | 'roles'> {
  /** Of whose organisation they have to be. */
  readonly requester?: Pick<Requester, 'organisation'>;
}

/** Whether somebody is asked, as the person they are or for the person who delegated to them. */
export function isAsked(approval: AskedPeople, person: Requester, roles: readonly string[]): boolean {
  // Another organisation has other people of the same names and roles.
  if (approval.requester?.organisation !== person.organisation) return false;
  return approval.people.includes(person.subject) || approval.roles.some((role) => roles.includes(role));
}

/** A3: by their own vote, as somebody's delegate, or by that of a delegate of theirs. */
export function hasHadSay({ votes }: Pick<Approval, 'votes'>, person: Pick<Person, 'principals'>): boolean {
  return votes.some((vote) => peopleOf(vote).some((voted) => isSamePerson(voted, person)));
}

/** Whom a vote counts for. */
export function peopleOf({ person, onBehalfOf }: Vote): readonly Person[] {
  return onBehalfOf === undefined ? [person] : [person, onBehalfOf];
}

export function isSamePerson(a: Pick<Person, 'principals'>, b: Pick<Person, 'principals'>): boolean {
  return a.principals.some((principal) => b.principals.includes(principal));
}

/** A4: `undefined` while people are still waited for. */
export function resultOf({ votes, quorum }: Pick<Approval, 'votes' | 'quorum'>): ApprovalResult | undefined {
  if (votes.some(({ choice }) => choice === 'reject')) return 'rejected';
  if (votes.some(({ choice }) => choice === 'request_changes')) return 'changes_requested';
  return votes.length >= quorum ? 'approved' : undefined;
}

export function decidedOf({ id, title, votes }: Approval, result: ApprovalResult, at: number): DecidedApproval {
  return { id, title, result, at, by: decisiveVotes(votes, result).map(nameOf) };
}

/** Those that made it so: none of them where time or the requester did. */
export function decisiveVotes(votes: readonly Vote[], result: ApprovalResult): readonly Vote[] {
  switch (result) {
    case 'approved':
      return votes.filter(({ choice }) => choice === 'approve');
    case 'rejected':
      return votes.filter(({ choice }) => choice === 'reject');
    case 'changes_requested':
      return votes.filter(({ choice }) => choice === 'request_changes');
    case 'expired':
    case 'withdrawn':
      return [];
  }
}

/** As others read it: who decided, and for whom. */
export function nameOf({ person, onBehalfOf }: Vote): string {
  return onBehalfOf === undefined ? person.name : `${person.name} for ${onBehalfOf.name}`;
}

/** One line for the requester: who is waited for, until when, how far it is. */
export function waitingText({ roles, people, dueAt, votes, quorum, link }: Approval): string {
  const due = `${new Date(dueAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const asked = roles.length > 0 ? roles.join(', ') : `${String(people.length)} named people`;
  const who = link === undefined ? asked : `${link.name}, by a link`;
  return `Waiting for ${who}, due ${due}${quorum > 1 ? `, ${String(votes.length)} of ${String(quorum)}` : ''}`;
}

/** One line: by whom, what, when. */
export function voteText(vote: Vote): string {
  const what = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' }[vote.choice];
  return `${nameOf(vote)} ${what} at ${new Date(vote.at).toISOString()}`;
}
