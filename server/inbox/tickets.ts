/** What a page hands back with the form: sealed, and bound to the person it was shown to. */
import type { Decision } from '../../protocol/decision.ts';
import type { Caller } from '../caller.ts';
import type { DecisionAnswer } from '../approvals/approval-desk.ts';
import type { PrincipalRing } from '../principal.ts';
import { createSealing } from '../sealing.ts';

/** Minted with the page of an approval. */
export interface Ticket {
  readonly workflowId: string;
  readonly taskId: string;
  readonly approvalId: string;
  /** Of what was shown. */
  readonly digest: string;
  /** However often the form is sent, it is one decision. */
  readonly updateId: string;
  /** By which the visitor decides for somebody else. */
  readonly delegation?: string | undefined;
}

/** A decision on its way: enough to ask what became of it, and to send the very same again. */
export interface SentDecision {
  readonly workflowId: string;
  readonly decision: Decision;
  /** That of the ticket. */
  readonly delegation?: string | undefined;
  /** As far as it was known when the page was made. `unsent`: it has surely not left. */
  readonly answer: DecisionAnswer | 'unsent';
}

export interface Tickets {
  sealTicket(ticket: Ticket, owner: Caller): string;
  openTicket(text: string | undefined, owner: Caller): Ticket | undefined;
  sealSent(sent: SentDecision, owner: Caller): string;
  openSent(text: string | undefined, owner: Caller): SentDecision | undefined;
}

/** As long as a sign-in lasts. */
const LIFE_MS = 8 * 3_600_000;

export function createTickets(ring: PrincipalRing): Tickets {
  const tickets = createSealing(ring, 'inbox ticket');
  const sent = createSealing(ring, 'inbox decision');
  return {
    sealTicket: (ticket, owner) => tickets.seal(ticket, owner, Date.now() + LIFE_MS),
    openTicket: (text = '', owner) => tickets.open(text, owner, Date.now()) as Ticket | undefined,
    sealSent: (decision, owner) => sent.seal(decision, owner, Date.now() + LIFE_MS),
    openSent: (text = '', owner) => sent.open(text, owner, Date.now()) as SentDecision | undefined,
  };
}
