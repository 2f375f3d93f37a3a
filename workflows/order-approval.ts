/**
 * From an order draft to one that may be posted: complete, taken by the policy, and approved by all whom the policy names.
 *
 * The roles are asked one after the other, in the order of the matrix: who comes later sees who has approved before, and is
 * not asked for an order that somebody refuses. Other content is another order: after a change everybody is asked anew.
 */
import type { ApprovalNeed } from '../activities/approval-matrix.ts';
import type { OrderDraft } from '../activities/order-draft.ts';
import { decisiveVotes, nameOf, type Vote } from '../protocol/approval.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../protocol/approval-request.ts';
import { oneLine } from '../protocol/one-line.ts';
import { hurriedNeed } from './hurried-need.ts';
import { changedOrder, changesText } from './order-changes.ts';
import { completeOrder, type CompletedOrder } from './order-completion.ts';
import { writeOrderFile, type OrderFile } from './order-paper.ts';
import { shownOrder } from './order-shown.ts';
import { toolFailure, type TaskContext } from './tool.ts';

export interface ApprovedOrder extends CompletedOrder {
  /** Names, in the order of their decisions. Empty when the policy asks nobody. */
  readonly approvedBy: readonly string[];
}

/** How often approvers may ask for changes. */
const MAX_ROUNDS = 5;
/** For the caller to make the changes. */
const CHANGES_WITHIN_MS = 3 * 86_400_000;
const MAX_REASON_CHARS = 1_000;

/** @throws ToolFailure when nothing may be ordered: by whom and why */
export async function approvedOrder(
  draft: OrderDraft,
  task: TaskContext,
  decideWithinMs: number | undefined,
): Promise<ApprovedOrder> {
  let order = draft;
  let changesAsked: string | undefined;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const completed = await completeOrder(order, task);
    const needs = completed.verdict.approvals.map((need) => hurriedNeed(need, decideWithinMs));
    const { approvedBy, changes } = await askAll(completed, needs, { task, round, changesAsked });
    if (changes === undefined) return { ...completed, approvedBy };
    changesAsked = changesText(changes);
    task.extend(CHANGES_WITHIN_MS);
    order = await changedOrder(completed, changesAsked, task);
  }
  throw toolFailure(`Nothing was ordered: changes were asked for too often, at last by ${changesAsked ?? ''}`);
}

interface Asking {
  readonly task: TaskContext;
  readonly round: number;
  readonly changesAsked: string | undefined;
}

/** `changes`: the vote that wants another order. */
async function askAll(
  completed: CompletedOrder,
  needs: readonly ApprovalNeed[],
  { task, round, changesAsked }: Asking,
): Promise<{ approvedBy: readonly string[]; changes?: Vote }> {
  const approvedBy: string[] = [];
  const approvers = new Set<string>();
  if (needs.length === 0) return { approvedBy };
  const { order } = completed;
  const { isWhole } = shownOrder(completed, { approvedBy, changesAsked });
  const paper = isWhole ? undefined : await paperOf(completed, task, `purchase-request-${round}.pdf`);
  for (const need of needs) {
    const { details } = shownOrder(completed, { approvedBy, changesAsked, paper });
    const askedAt = Date.now();
    const outcome = await task.approval({
      ...requestFor(order, need),
      details,
      documents: paper === undefined ? [] : [paper.uri],
    });
    const last = decisiveVotes(outcome.votes, outcome.result).at(-1);
    if (outcome.result === 'changes_requested' && last !== undefined) return { approvedBy, changes: last };
    if (outcome.result !== 'approved') throw toolFailure(refusedText(order, need, outcome, askedAt + need.withinMs));
    const fresh = outcome.votes.filter(({ person }) => !approvers.has(person.subject));
    for (const { person } of fresh) approvers.add(person.subject);
    approvedBy.push(...fresh.map(nameOf));
    task.describe({ 'Approved by': approvedBy.join(', ') });
  }
  return { approvedBy };
}

/** For those whom an approval cannot show every line. */
async function paperOf({ order, verdict }: CompletedOrder, task: TaskContext, name: string): Promise<OrderFile> {
  const datedAt = new Date().toISOString();
  const paper = { ...order, datedAt, policyVersion: verdict.policyVersion, approvedBy: [] };
  const file = await writeOrderFile(task, name, paper);
  if (file !== undefined) return file;
  throw toolFailure(
    'Nothing was ordered: the PDF by which its approvers see all lines could not be stored. ' +
      'Call again later, with a new idempotency key.',
  );
}

function requestFor({ vendor, total, currency }: OrderDraft, need: ApprovalNeed): Omit<ApprovalRequest, 'details'> {
  const { role, quorum, reason, withinMs, remindAfterMs, escalations } = need;
  const amount = `${total} ${currency}`;
  return {
    role,
    title: `Order from ${oneLine(vendor, 60)} for ${amount}`,
    amount,
    reason: oneLine(reason, MAX_REASON_CHARS),
    quorum,
    withinMs,
    remindAfterMs,
    escalations,
    rejectOptions: [
      { value: 'not_needed', title: 'Not needed' },
      { value: 'too_expensive', title: 'Too expensive' },
      { value: 'other', title: 'Another reason' },
    ],
    canRequestChanges: true,
  };
}

function refusedText(
  { vendor, total, currency }: OrderDraft,
  { role, quorum }: ApprovalNeed,
  { result, votes, reason = '' }: ApprovalOutcome,
  dueAt: number,
): string {
  const what = `the order to ${vendor} for ${total} ${currency}`;
  const last = decisiveVotes(votes, result).at(-1);
  if (result === 'rejected' && last !== undefined) {
    return `Nothing was ordered: ${nameOf(last)} (asked as ${role}) rejected ${what}.\nReason: ${reason}`;
  }
  const due = `${new Date(dueAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const sofar = quorum > 1 ? ` (${votes.length} of ${quorum} had approved)` : '';
  return (
    `Nothing was ordered: ${what} needed an approval by ${role}, and it was not decided by ${due}${sofar}. ` +
    'Call again, with a new idempotency key.'
  );
}
