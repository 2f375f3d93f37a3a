/** A hiring as a caller asks for it, and those who decide in it. */
import type { Approval } from '../../protocol/approval.ts';
import type { Decision } from '../../protocol/decision.ts';
import { holderOf } from '../../protocol/link-holder.ts';
import type { JsonObject } from '../../protocol/task.ts';
import type { ApprovalCase, ApprovalDesk, DecisionAnswer } from '../../server/approvals/approval-desk.ts';
import { decide, decisionOn } from './approver.ts';
import { eventually } from './eventually.ts';

export const CANDIDATE_NAME = 'Robin Beispiel';
export const CANDIDATE_MAIL = 'robin@example.com';

/** All that there is to say, in seconds that a test has. A letter is not scored, unless a test says so. */
export function aHiring(more: JsonObject = {}): JsonObject {
  return {
    candidate: {
      name: CANDIDATE_NAME,
      email: CANDIDATE_MAIL,
      yearsOfExperience: 6,
      education: 'master',
      skills: [{ name: 'TypeScript', level: 4 }],
      languages: [{ name: 'German', level: 'C1' }],
    },
    position: {
      title: 'Backend engineer',
      criteria: [
        { kind: 'skill', name: 'typescript', level: 5, weight: 50 },
        { kind: 'language', name: 'German', level: 'B2', weight: 20, isRequired: true },
        { kind: 'experience', years: 5, weight: 30 },
      ],
      minPercent: 60,
    },
    letterWithinSeconds: 60,
    rounds: [{ role: 'engineering', quorum: 2, withinSeconds: 60 }],
    offer: { salary: '72000', currency: 'EUR', startDate: aDayIn(60) },
    offerValidSeconds: 60,
    ...more,
  };
}

export const LETTER_POSITION = {
  title: 'Backend engineer',
  criteria: [{ kind: 'letter', weight: 10 }],
  minPercent: 50,
} as const;

/** What `role` is asked; `link`: what the candidate is. */
export function askedOf(found: ApprovalCase, role: string): Approval | undefined {
  return found.open.find(({ roles }) => roles.includes(role));
}

/** `isStanding`: the way out, else the offer. */
export function linkIn(found: ApprovalCase, isStanding: boolean): Approval | undefined {
  return found.open.find(({ link }) => link !== undefined && (link.isStanding ?? false) === isStanding);
}

/** The case with nothing but the approval that `pick` finds, once it does. */
export async function untilAsked(
  desk: ApprovalDesk,
  workflowId: string,
  pick: (found: ApprovalCase) => Approval | undefined,
): Promise<ApprovalCase> {
  return eventually(async () => {
    const found = await desk.read(workflowId);
    const approval = found && pick(found);
    return found !== undefined && approval !== undefined && { ...found, open: [approval] };
  }, 30_000);
}

/** By the link of the only approval of `found`, as the page would send it. */
export function answerByLink(found: ApprovalCase, more: Partial<Decision> = {}): Decision {
  const [approval] = found.open;
  if (approval?.link === undefined) throw new Error('no approval by a link is open');
  return decisionOn(found, '', { person: holderOf(approval.id, approval.link), roles: [], byLink: true, ...more });
}

export async function decideAs(
  desk: ApprovalDesk,
  found: ApprovalCase,
  by: string,
  more: Partial<Decision> = {},
): Promise<DecisionAnswer> {
  const roles = found.open[0]?.roles ?? [];
  return decide(desk, found, decisionOn(found, by, { roles, reason: 'Knows the trade.', ...more }));
}

function aDayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
