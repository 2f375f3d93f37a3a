/** Somebody who decides, as a front would speak for them. */
import { randomUUID } from 'node:crypto';
import { digestOf } from '../../encryption/decision-signing.ts';
import { shownText, type Person } from '../../protocol/approval.ts';
import type { Decision } from '../../protocol/decision.ts';
import type { ApprovalCase, ApprovalDesk, DecisionAnswer } from '../../server/approvals/approval-desk.ts';
import { eventually } from './eventually.ts';
import { signed } from './decisions.ts';
import type { TaskBench } from './task-bench.ts';

export function person(name: string): Person {
  return { principals: [`principal of ${name}`], subject: name, name };
}

/** A decision on the first open approval of `found`, as its page would send it. */
export function decisionOn(found: ApprovalCase, by: string, more: Partial<Decision> = {}): Decision {
  const [approval] = found.open;
  if (approval === undefined) throw new Error('no approval is open');
  return {
    taskId: found.taskId,
    approvalId: approval.id,
    digest: digestOf(shownText(found.taskId, found.tool, approval)),
    person: person(by),
    roles: ['finance'],
    choice: 'approve',
    updateId: randomUUID(),
    decidedAt: Date.now(),
    ...more,
  };
}

export const REJECTION = { choice: 'reject', option: 'not_needed', reason: 'We have enough chairs.' } as const;

export async function waitForApproval(desk: ApprovalDesk, workflowId: string): Promise<ApprovalCase> {
  return eventually(async () => {
    const found = await desk.read(workflowId);
    return found !== undefined && found.open.length > 0 && found;
  }, 20_000);
}

export async function decide(desk: ApprovalDesk, found: ApprovalCase, decision: Decision): Promise<DecisionAnswer> {
  return desk.decide(found.workflowId, signed(decision));
}

const CONFIRMED_WITHIN_MS = 20_000;

export type ConfirmedAnswer = Exclude<DecisionAnswer, 'unconfirmed'>;

/** As a page does: the same decision again until it is confirmed. */
export function decideSurely(desk: ApprovalDesk, found: ApprovalCase, decision: Decision): Promise<ConfirmedAnswer> {
  return eventually(async () => {
    const answer = await decide(desk, found, decision);
    return answer !== 'unconfirmed' && answer;
  }, CONFIRMED_WITHIN_MS);
}

/** What the people made of a task whose result says it, or how else it has ended. */
export async function outcomeOf(bench: Pick<TaskBench, 'until'>, taskId: string): Promise<string> {
  const ended = await bench.until(taskId, 'completed', 'cancelled');
  if (ended.status !== 'completed') return ended.status;
  return (ended.result.structuredContent as { result: string }).result;
}
