/** One approval for all invoices that the requester may not accept: it shows what differs, line by line. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MatchSummary } from '../activities/invoices/match-summary.ts';
import type { InvoiceOutcome } from '../activities/invoices/outcome.ts';
import { decisiveVotes, nameOf } from '../protocol/approval.ts';
import type { ApprovalOutcome } from '../protocol/approval-request.ts';
import { taskFileUri } from '../protocol/blob-ref.ts';
import { oneLine } from '../protocol/one-line.ts';
import { hurriedNeed } from './hurried-need.ts';
import type { TaskContext } from './tool.ts';

const { prepareInvoiceApproval } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Write down what differs',
});

const SECOND_MS = 1_000;
const MAX_NOTE_CHARS = 200;

export interface ApprovedInvoices {
  /** Names; empty when nobody was asked. */
  readonly approvedBy: readonly string[];
  readonly accepted: readonly number[];
  readonly outcomes: readonly InvoiceOutcome[];
}

export async function approvedInvoices(
  task: TaskContext,
  { table, approve: indexes, approval }: MatchSummary,
  decideWithinSeconds: number | undefined,
): Promise<ApprovedInvoices> {
  if (indexes.length === 0) return { approvedBy: [], accepted: [], outcomes: [] };
  const owner = { caller: task.caller, taskId: task.id };
  const datedAt = new Date().toISOString();
  const name = 'invoice-exceptions.pdf';
  const { file, ...shown } = await task.step('Write down what differs', () =>
    prepareInvoiceApproval({ owner, table, indexes, datedAt, name }),
  );
  const outcome = await task.approval({
    ...hurriedNeed(approval, decideWithinSeconds === undefined ? undefined : decideWithinSeconds * SECOND_MS),
    ...shown,
    rejectOptions: [
      { value: 'reject', title: 'Reject them: they are wrong' },
      { value: 'hold', title: 'Hold them: not now' },
    ],
    documents: file === undefined ? [] : [taskFileUri(task.id, file.name)],
  });
  const approvedBy = outcome.votes.map(nameOf);
  if (outcome.result === 'approved') {
    task.describe({ 'Approved by': approvedBy.join(', ') });
    return { approvedBy, accepted: indexes, outcomes: [] };
  }
  const refused = refusedAs(outcome, approval.role);
  return { approvedBy: [], accepted: [], outcomes: indexes.map((index) => ({ index, ...refused })) };
}

function refusedAs(
  { result, votes, option, reason = '' }: ApprovalOutcome,
  role: string,
): Omit<InvoiceOutcome, 'index'> {
  const last = decisiveVotes(votes, result).at(-1);
  if (result !== 'rejected' || last === undefined) return { kind: 'undecided', note: `Not decided in time by ${role}` };
  const note = oneLine(`By ${nameOf(last)} (asked as ${role}): ${reason}`, MAX_NOTE_CHARS);
  return { kind: option === 'hold' ? 'held' : 'rejected', note };
}
