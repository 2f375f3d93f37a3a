/** The history of one approval, and of the others of its task as far as the visitor may look at them. */
import type { ApprovalAct } from '../approvals/approval-history.ts';
import type { ApprovalLook } from './approval-look.ts';
import type { ShownHistory } from './history-section.ts';
import { openEntries, roundsOf, type HistoryRound } from './history.ts';
import type { PageParts } from './parts.ts';
import { mayLook } from './standing.ts';
import type { Visitor } from './visitor.ts';

/** The newest ones; a task may have asked for many things. */
const MAX_OTHERS = 10;

type HistoryParts = Pick<PageParts, 'queue' | 'history'>;

/** @throws StoreDown */
export async function lookAtHistory(parts: HistoryParts, visitor: Visitor, look: ApprovalLook): Promise<ShownHistory> {
  const acts: readonly ApprovalAct[] = (await parts.history?.ofTask(look.found.taskId)) ?? [];
  const rounds = roundsOf(acts);
  const { id } = look.kind === 'open' ? look.approval : look.decided;
  const entries =
    look.kind === 'open'
      ? openEntries(look.approval, acts)
      : (rounds.find(({ approvalId }) => approvalId === id)?.entries ?? []);
  const others = rounds.filter(({ approvalId }) => approvalId !== id).slice(-MAX_OTHERS);
  const seen = await Promise.all(
    others.map(async (round): Promise<readonly HistoryRound[]> => {
      const row = await parts.queue.find(round.approvalId);
      return row !== undefined && mayLook(visitor, row, look.found.requester) ? [round] : [];
    }),
  );
  return { entries, others: seen.flat() };
}
