/** The key under which tests sign decisions, and how a worker of theirs checks them. */
import type { DecisionCheck } from '../../activities/approvals.ts';
import { digestOf, isSigned, signDecision, type DecisionKeys } from '../../encryption/decision-signing.ts';
import type { Decision, SignedDecision } from '../../protocol/decision.ts';

/** For `DECISION_KEY`. */
export const TEST_DECISION_KEY = 'd'.repeat(64);

const keys: DecisionKeys = [Buffer.from(TEST_DECISION_KEY, 'hex')];

export const testDecisions: DecisionCheck = { isSigned: (signed) => isSigned(keys, signed), digestOf };

export function signed(decision: Decision): SignedDecision {
  return signDecision(keys, decision);
}
