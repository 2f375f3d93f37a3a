/**
 * Who decides on an invoice that does not match: nobody has to, the requester, an approver, or nobody may. An invoice is
 * posted whole or not at all, so what is at stake is summed up over it.
 */
import Big from 'big.js';
import type { InvoicePolicy } from './invoice-policy.ts';
import { findingsOf, type Exception, type MatchedInvoice } from './match-result.ts';

/**
 * `ask`: the requester. `post`: it matches. `refuse`: it is not posted, whoever says so. `wait`: the requester was to be asked, and
 * is asked enough in this call.
 */
export type Route = 'post' | 'ask' | 'approve' | 'refuse' | 'wait';

/** Without an order there is nothing to post against: only its number helps. */
const NEED_AN_ORDER: readonly Exception[] = ['order_missing', 'order_unknown'];
/** A person is asked about so many at most; what comes after them goes to the approver, or waits for another call. */
export const MAX_ASKED = 60;

export function needsOrder({ findings }: MatchedInvoice): boolean {
  return findings.some(({ status }) => NEED_AN_ORDER.includes(status));
}

export function atStakeIn(invoice: MatchedInvoice): string {
  return findingsOf(invoice)
    .reduce((sum, { atStake }) => sum.plus(atStake), new Big(0))
    .toFixed();
}

/** What the requester has decided on already: places, counted from 1. */
export interface DecidedBefore {
  /** Counts before all others, so that asking anew widens no limit. */
  readonly accepted?: readonly number[];
  /** Rejected, held or not answered: nobody else is asked to accept them. */
  readonly declined?: readonly number[];
}

/** By the place of each invoice: the first one stands first. What was decided on before is still the requester's. */
export function routesOf(
  invoices: readonly MatchedInvoice[],
  policy: InvoicePolicy,
  { accepted = [], declined = [] }: DecidedBefore = {},
): Route[] {
  const askedInAll = new Map<string, Big>();
  for (const index of accepted) {
    const invoice = invoices[index - 1];
    if (invoice !== undefined) {
      const before = askedInAll.get(invoice.currency) ?? new Big(0);
      askedInAll.set(invoice.currency, before.plus(atStakeIn(invoice)));
    }
  }
  const decided = new Set([...accepted, ...declined]);
  let asked = decided.size;
  return invoices.map((invoice, index) => {
    const route = routeOf(invoice, policy);
    if (route !== 'ask' || decided.has(index + 1)) return route;
    const isFull = asked >= MAX_ASKED;
    if (needsOrder(invoice)) {
      if (isFull) return 'wait';
      asked += 1;
      return 'ask';
    }
    const { currency } = invoice;
    const sum = (askedInAll.get(currency) ?? new Big(0)).plus(atStakeIn(invoice));
    if (isFull || sum.gt(policy.askUpToInAll[currency] ?? '0')) return 'approve';
    askedInAll.set(currency, sum);
    asked += 1;
    return 'ask';
  });
}

function routeOf(invoice: MatchedInvoice, { exceptions, askUpTo }: InvoicePolicy): Route {
  const routes = new Set(findingsOf(invoice).map(({ status }) => exceptions[status]));
  if (routes.size === 0) return 'post';
  if (routes.has('refuse')) return 'refuse';
  if (needsOrder(invoice)) return 'ask';
  if (routes.has('approve')) return 'approve';
  return new Big(atStakeIn(invoice)).gt(askUpTo[invoice.currency] ?? '0') ? 'approve' : 'ask';
}
