/** Where decisions by other people reach a task. */
import { ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import type { DecisionVerdict, SignedDecision } from '../protocol/decision.ts';
import type { ApprovalBook } from './approvals.ts';
import { DECISION_REFUSED, decideUpdate } from './contract.ts';
import type { Decisions } from './decisions.ts';

/** The validator reads; the handler has the signature checked and then only records: it counts after cancel and deadline. */
export function takeDecisions(approvals: ApprovalBook, decisions: Decisions): void {
  const take = async (signed: SignedDecision): Promise<DecisionVerdict> => {
    const receivedAt = Date.now();
    const refusal = await CancellationScope.nonCancellable(() => approvals.verify(signed));
    if (refusal !== undefined) return { counted: false, refusal };
    return decisions.recordDecision(signed.decision, receivedAt);
  };
  const validator = (signed: SignedDecision): void => {
    const refusal = approvals.refusalOf(signed);
    if (refusal === undefined) return;
    throw ApplicationFailure.nonRetryable('The decision does not count.', DECISION_REFUSED, refusal);
  };
  setHandler(decideUpdate, take, { description: 'A decision by somebody who is asked, signed by a front', validator });
}
