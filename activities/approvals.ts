import type { DecisionRefusal, SignedDecision } from '../protocol/decision.ts';

/** How the worker knows a decision that a front of ours has signed. */
export interface DecisionCheck {
  readonly isSigned: (signed: SignedDecision) => boolean;
  readonly digestOf: (text: string) => string;
}

export interface ApprovalActivities {
  /** `shown`: what the workflow holds now, as the text whose digest the decision carries. */
  verifyDecision(args: { signed: SignedDecision; shown: string }): Promise<{ readonly refusal?: DecisionRefusal }>;
}

export function createApprovalActivities({ isSigned, digestOf }: DecisionCheck): ApprovalActivities {
  return {
    verifyDecision: async ({ signed, shown }) => {
      if (!isSigned(signed)) return { refusal: { code: 'unsigned' } };
      return digestOf(shown) === signed.decision.digest ? {} : { refusal: { code: 'changed' } };
    },
  };
}
