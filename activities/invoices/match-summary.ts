/** What a workflow has to know of a match: who decides what, in few words, however large the table is. */
import { oneLine } from '../../protocol/one-line.ts';
import { timesOf, type ApprovalNeed } from '../approval-matrix.ts';
import { boundedTexts, findingTexts, nameOfInvoice } from './exception-texts.ts';
import type { Decision, InvoicePolicy } from './invoice-policy.ts';
import { findingsOf, type MatchedInvoice } from './match-result.ts';
import type { MatchTable, TableRef } from './match-table.ts';
import { needsOrder, routesOf, type DecidedBefore, type Route } from './routing.ts';

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
  /** By the place of each that nobody may accept: why, on one line. Absent: by an older worker. */
  readonly whyRefused?: Readonly<Record<string, string>>;
  /** Those of `refuse` that only wait for another call. Absent: none, or an older worker has not told them apart. */
  readonly wait?: readonly number[];
  /** What the requester may answer. */
  readonly decisions: readonly Decision[];
  readonly approval: ApprovalNeed;
}

/** Sixty of them, each in a form, fit a workflow and in batches a memo. */
const MAX_TEXT_CHARS = 700;
const MAX_CANDIDATES = 10;
const MAX_WHY_CHARS = 150;

export function summaryOf(
  table: MatchTable,
  ref: TableRef,
  policy: InvoicePolicy,
  before: DecidedBefore,
): MatchSummary {
  const { invoices, faults, policyVersion } = table;
  const routes = routesOf(invoices, policy, before);
  const at = (...wanted: Route[]): number[] =>
    routes.flatMap((route, index) => (wanted.includes(route) ? [index + 1] : []));
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
    refuse: at('refuse', 'wait'),
    whyRefused: Object.fromEntries(
      at('refuse').map((place) => [String(place), whyRefused(invoices[place - 1], policy)]),
    ),
    wait: at('wait'),
    decisions,
    approval: {
      role: approval.role,
      quorum: approval.quorum,
      reason: approval.reason,
      ...timesOf(approval),
    },
  };
}

function whyRefused(invoice: MatchedInvoice | undefined, { exceptions }: InvoicePolicy): string {
  const found = invoice === undefined ? [] : findingsOf(invoice);
  return oneLine(found.find(({ status }) => exceptions[status] === 'refuse')?.text ?? '', MAX_WHY_CHARS);
}
