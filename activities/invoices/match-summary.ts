/** What a workflow has to know of a match: who decides what, in few words, however large the table is. */
import { oneLine } from '../../protocol/one-line.ts';
import { timesOf, type ApprovalNeed } from '../approval-matrix.ts';
import { boundedTexts, findingTexts, nameOfInvoice } from './exception-texts.ts';
import type { Decision, InvoicePolicy } from './invoice-policy.ts';
import type { MatchTable, TableRef } from './match-table.ts';
import { needsOrder, routesOf } from './routing.ts';

/** A question to the requester. */
export interface AskedInvoice {
  readonly index: number;
  readonly number: string;
  readonly title: string;
  /** What differs. */
  readonly text: string;
  /** It is matched only once its order is named; until then nobody can accept it. */
  readonly needsOrder: boolean;
  /** Orders that it may belong to. */
  readonly candidates: readonly string[];
}

export interface MatchSummary {
  readonly table: TableRef;
  readonly policyVersion: string;
  readonly counts: {
    readonly invoices: number;
    readonly lines: number;
    readonly matched: number;
    readonly unreadable: number;
  };
  /** Places of invoices, counted from 1, by who decides on them. */
  readonly post: readonly number[];
  readonly ask: readonly AskedInvoice[];
  readonly approve: readonly number[];
  readonly refuse: readonly number[];
  /** What the requester may answer. */
  readonly decisions: readonly Decision[];
  readonly approval: ApprovalNeed;
}

/** Sixty of them, each in a form, fit a workflow and in batches a memo. */
const MAX_TEXT_CHARS = 700;
const MAX_CANDIDATES = 10;

/** `accepted`: what the requester has accepted already counts against the limit of the call. */
export function summaryOf(
  table: MatchTable,
  ref: TableRef,
  policy: InvoicePolicy,
  accepted: readonly number[],
): MatchSummary {
  const { invoices, faults, policyVersion } = table;
  const routes = routesOf(invoices, policy, accepted);
  const at = (wanted: string): number[] => routes.flatMap((route, index) => (route === wanted ? [index + 1] : []));
  const { approval, decisions } = policy;
  return {
    table: ref,
    policyVersion,
    counts: {
      invoices: invoices.length,
      lines: invoices.reduce((sum, { lines }) => sum + lines.length, 0),
      matched: at('post').length,
      unreadable: faults.length,
    },
    post: at('post'),
    ask: invoices.flatMap((invoice, index) => {
      if (routes[index] !== 'ask') return [];
      const { number, candidates = [] } = invoice;
      return {
        index: index + 1,
        number: oneLine(number, 40),
        title: nameOfInvoice(invoice),
        text: boundedTexts(findingTexts(invoice), MAX_TEXT_CHARS),
        needsOrder: needsOrder(invoice),
        candidates: candidates.slice(0, MAX_CANDIDATES),
      };
    }),
    approve: at('approve'),
    refuse: at('refuse'),
    decisions,
    approval: {
      role: approval.role,
      quorum: approval.quorum,
      reason: approval.reason,
      ...timesOf(approval),
    },
  };
}
