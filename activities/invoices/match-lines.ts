/** The lines of one invoice against the lines of its order: which is which, and what differs. */
import Big from 'big.js';
import { minorUnitsOf } from '../money.ts';
import { sameArticleIn } from './articles.ts';
import type { InvoicePolicy } from './invoice-policy.ts';
import type { ReadInvoice, ReadInvoiceLine } from './invoice.ts';
import type { Finding, MatchedLine } from './match-result.ts';
import type { OrderFacts, OrderFactsLine } from './order-facts.ts';
import type { InvoicedQuantities } from './invoiced-quantities.ts';

interface Against {
  readonly order: OrderFacts;
  readonly policy: InvoicePolicy;
  readonly invoiced: InvoicedQuantities;
}

const DEFAULT_DECIMALS = 2;

export function matchLines({ lines, currency }: ReadInvoice, against: Against): MatchedLine[] {
  return lines.map((line) => matchLine(line, currency, against));
}

/** What is known of a line without an order: whether its amount is quantity times price. */
export function checkedAmount(line: ReadInvoiceLine, currency: string, { sums }: InvoicePolicy): Finding[] {
  const expected = new Big(line.quantity).times(line.unitPrice).round(decimalsOf(currency), Big.roundHalfUp);
  const difference = new Big(line.amount).minus(expected).abs();
  if (difference.lte(sums[currency] ?? '0')) return [];
  const text = `${line.quantity} × ${line.unitPrice} is ${money(expected, currency)}, not ${line.amount} ${currency}`;
  return [{ status: 'sums_differ', text, atStake: fixed(difference, currency) }];
}

function matchLine(line: ReadInvoiceLine, currency: string, against: Against): MatchedLine {
  const { order, policy, invoiced } = against;
  const sums = checkedAmount(line, currency, policy);
  const index = new Big(line.quantity).gt(0) ? orderLineFor(line, against) : undefined;
  const ordered = index === undefined ? undefined : order.lines[index];
  if (index === undefined || ordered === undefined) return { ...line, findings: [notOrdered(line, order), ...sums] };
  const before = invoiced.of(order, index);
  invoiced.add(order.number, index, line.quantity);
  const findings = [
    ...(order.currency === currency ? priceFindings(line, ordered, currency, policy) : []),
    ...quantityFindings(line, ordered, before, { currency, policy }),
    ...sums,
  ];
  return {
    ...line,
    orderLine: index + 1,
    orderPrice: ordered.unitPrice,
    ordered: ordered.quantity,
    received: ordered.received,
    invoicedBefore: before.toFixed(),
    findings,
  };
}

/**
 * Of several of the article, one at the same price; then the one of which just enough has come and is not invoiced, or else the
 * most: a line may be split over deliveries.
 */
function orderLineFor(line: ReadInvoiceLine, { order, invoiced }: Against): number | undefined {
  const [quantity, price] = [new Big(line.quantity), new Big(line.unitPrice)];
  let best: Fitting | undefined;
  for (const index of sameArticleIn(order, line)) {
    const ordered = order.lines[index];
    if (ordered === undefined) continue;
    const isSamePrice = priceOf(ordered).eq(price);
    if (best?.isSamePrice === true && !isSamePrice) continue;
    const open = invoiced.openOf(order, index);
    const one = { index, open, isEnough: open.gte(quantity), isSamePrice };
    if (best === undefined || isBetter(one, best)) best = one;
  }
  return best?.index;
}

interface Fitting {
  readonly index: number;
  readonly open: Big;
  readonly isEnough: boolean;
  readonly isSamePrice: boolean;
}

function isBetter(one: Fitting, other: Fitting): boolean {
  if (one.isSamePrice !== other.isSamePrice) return one.isSamePrice;
  if (one.isEnough !== other.isEnough) return one.isEnough;
  return one.isEnough ? one.open.lt(other.open) : one.open.gt(other.open);
}

/** Read once: thousands of lines are compared with each line of their order. */
const prices = new WeakMap<OrderFactsLine, Big>();

function priceOf(ordered: OrderFactsLine): Big {
  const price = prices.get(ordered) ?? new Big(ordered.unitPrice);
  prices.set(ordered, price);
  return price;
}

function notOrdered({ quantity, amount }: ReadInvoiceLine, { number }: OrderFacts): Finding {
  const what = new Big(quantity).gt(0)
    ? 'has no such line'
    : 'cannot be compared with a quantity that is not above zero';
  return { status: 'not_ordered', text: `Order ${number} ${what}`, atStake: new Big(amount).abs().toFixed() };
}

function priceFindings(
  line: ReadInvoiceLine,
  ordered: OrderFactsLine,
  currency: string,
  { price }: InvoicePolicy,
): Finding[] {
  const each = new Big(line.unitPrice).minus(ordered.unitPrice).abs();
  if (each.eq(0)) return [];
  const inAll = each.times(line.quantity);
  const held = [
    each.times(100).lte(new Big(ordered.unitPrice).times(price.percent)),
    inAll.lte(price.amount[currency] ?? '0'),
  ];
  if (price.within === 'both' ? held.every(Boolean) : held.some(Boolean)) return [];
  const text = `Price ${line.unitPrice} ${currency}, ordered at ${ordered.unitPrice} ${currency}`;
  return [{ status: 'price_differs', text, atStake: fixed(inAll, currency) }];
}

function quantityFindings(
  { quantity, unitPrice }: ReadInvoiceLine,
  ordered: OrderFactsLine,
  before: Big,
  { currency, policy }: { currency: string; policy: InvoicePolicy },
): Finding[] {
  const inAll = before.plus(quantity);
  const isAbove = (limit: string): boolean =>
    inAll.times(100).gt(new Big(limit).times(new Big(policy.quantityPercent).plus(100)));
  const finding = (status: Finding['status'], limit: string, words: string): Finding => {
    const excess = [inAll.minus(limit), new Big(quantity)].reduce((one, other) => (one.lt(other) ? one : other));
    const earlier = before.eq(0) ? '' : `, after ${before.toFixed()} invoiced before`;
    return {
      status,
      text: `Quantity ${quantity}${earlier}; ${limit} ${words}`,
      atStake: fixed(excess.times(unitPrice).abs(), currency),
    };
  };
  const found: Finding[] = [];
  const { quantity: limit, received } = ordered;
  const isAboveOrdered = isAbove(limit);
  if (isAboveOrdered) found.push(finding('quantity_above_ordered', limit, 'ordered'));
  if (new Big(received).eq(0)) found.push(finding('no_receipt', received, 'received'));
  else if (!isAboveOrdered && isAbove(received)) found.push(finding('quantity_above_received', received, 'received'));
  return found;
}

export function decimalsOf(currency: string): number {
  return minorUnitsOf(currency) ?? DEFAULT_DECIMALS;
}

export function fixed(value: Big, currency: string): string {
  return value.toFixed(decimalsOf(currency), Big.roundHalfUp);
}

function money(value: Big, currency: string): string {
  return `${fixed(value, currency)} ${currency}`;
}
