/** What has happened to approvals, for people to read: by whom, what, when and why. */
import { nameOf, type Approval, type Vote } from '../../protocol/approval.ts';
import { ownMember } from '../../protocol/own-member.ts';
import type { JsonObject } from '../../protocol/task.ts';
import type { ApprovalAct } from '../approvals/approval-history.ts';

export interface HistoryEntry {
  /** Epoch ms. */
  readonly at: number;
  /** Absent: nobody, such as when the time is over. */
  readonly who?: string | undefined;
  readonly what: string;
  /** In the words of who did it. */
  readonly reason?: string | undefined;
}

/** One approval of a task. */
export interface HistoryRound {
  readonly approvalId: string;
  readonly title: string;
  readonly entries: readonly HistoryEntry[];
}

/** Each approval of the task that the audit tells of, in the order in which they were asked for. */
export function roundsOf(acts: readonly ApprovalAct[]): readonly HistoryRound[] {
  const ids = [...new Set(acts.map(approvalOf))].filter((id) => id !== '');
  return ids.map((approvalId) => {
    const own = acts.filter((act) => approvalOf(act) === approvalId);
    const titled = own.map(({ data }) => textIn(data, 'title')).find((title) => title !== '');
    return { approvalId, title: titled ?? 'A decision', entries: own.flatMap(entryOf) };
  });
}

/** While it is open the task knows who has asked and who has voted; the audit, a moment later, the rest. */
export function openEntries(
  { id, requestedBy, openedAt, votes }: Approval,
  acts: readonly ApprovalAct[],
): readonly HistoryEntry[] {
  const told = acts.filter(
    (act) => approvalOf(act) === id && act.type !== 'voted' && act.type !== 'approval_requested',
  );
  const asked = { at: openedAt, who: requestedBy, what: ASKED };
  return [asked, ...[...told.flatMap(entryOf), ...votes.map(voteEntry)].toSorted((one, other) => one.at - other.at)];
}

const ASKED = 'asked for a decision';

const CHOSEN: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'asked for changes',
} satisfies Record<Vote['choice'], string>;

const RESULTS: Readonly<Record<string, string>> = {
  approved: 'It was approved',
  rejected: 'It was rejected',
  changes_requested: 'It went back for changes',
  expired: 'Nobody decided in time: it expired',
  withdrawn: 'It was withdrawn',
};

function voteEntry(vote: Vote): HistoryEntry {
  const { choice, option, reason, at } = vote;
  return { at, who: nameOf(vote), what: chosen(choice, option), reason };
}

function chosen(choice: string, option = ''): string {
  const what = CHOSEN[choice] ?? choice;
  return option === '' ? what : `${what} (${option})`;
}

function entryOf({ type, at: time, by, data }: ApprovalAct): readonly HistoryEntry[] {
  const at = time.getTime();
  const who = by ?? undefined;
  switch (type) {
    case 'approval_requested':
      return [{ at, who, what: ASKED }];
    case 'voted': {
      const forWhom = textIn(data['onBehalfOf'], 'name');
      const voter = forWhom === '' ? who : `${who ?? ''} for ${forWhom}`;
      const what = chosen(textIn(data, 'choice'), textIn(data, 'option'));
      return [{ at, who: voter, what, reason: textIn(data, 'reason') }];
    }
    case 'reminded':
      return [{ at, what: 'Those who are asked were reminded' }];
    case 'escalated':
      return [{ at, what: `It took long: ${textIn(data, 'role')} was asked as well` }];
    case 'claimed':
      return [{ at, who, what: 'said that they look at it' }];
    case 'released':
      return [{ at, who, what: 'left it to others' }];
    case 'approval_decided':
      return [{ at, what: resultWords(data) }];
    default:
      return [];
  }
}

function resultWords(data: JsonObject): string {
  const result = textIn(data, 'result');
  const by = data['by'];
  if (result === 'rejected' && Array.isArray(by) && by.length === 0) {
    return 'Nobody decided in time: it counts as rejected';
  }
  return RESULTS[result] ?? result;
}

function approvalOf({ data }: ApprovalAct): string {
  return textIn(data, 'approval');
}

function textIn(data: unknown, name: string): string {
  const value = ownMember(data, name);
  return typeof value === 'string' ? value : '';
}
