/**
 * The three-way match: invoices against orders and goods receipts. Pure: the same invoices, facts and policy make the same
 * table. The invoices are taken in the order in which they were sent: what an earlier one has invoiced counts for a later one.
 */
import Big from 'big.js';
import { comparableVendor, isSameVendor } from '../vendor-list.ts';
import type { InvoicePolicy } from './invoice-policy.ts';
import type { ReadInvoice } from './invoice.ts';
import { InvoicedQuantities } from './invoiced-quantities.ts';
import { checkedAmount, fixed, matchLines } from './match-lines.ts';
import type { Exception, Finding, MatchedInvoice, MatchedLine } from './match-result.ts';
import type { ErpFacts, OrderFacts, PostedInvoiceFacts } from './order-facts.ts';

export interface MatchOptions {
  /** Given by a person, by the place of the invoice: counts instead of the order that it names. */
  readonly orderNumbers?: Readonly<Record<string, string>>;
  /** What is known already, by place: taken as it is, unless its order was given now. */
  readonly known?: readonly MatchedInvoice[];
}

const MAX_CANDIDATES = 10;

export function matchInvoices(
  invoices: readonly ReadInvoice[],
  facts: ErpFacts,
  policy: InvoicePolicy,
  { orderNumbers = {}, known = [] }: MatchOptions = {},
): MatchedInvoice[] {
  const invoiced = new InvoicedQuantities();
  const isKept = (index: number): boolean =>
    known[index] !== undefined && orderNumbers[String(index + 1)] === undefined;
  // What stands already has its quantities, wherever it stands among the others.
  for (const [index, match] of known.entries()) if (isKept(index)) countIn(match, invoiced);
  const firstOf = firstPlaces(invoices);
  const posted = new Map(facts.posted.toReversed().map((one) => [keyOf(one.vendor, one.vendorInvoice), one] as const));
  return invoices.map((invoice, index) => {
    const kept = known[index];
    if (kept !== undefined && isKept(index)) return kept;
    const given = orderNumbers[String(index + 1)];
    const named = given === undefined ? invoice : { ...invoice, orderNumber: given };
    return matchInvoice(named, index + 1, { firstOf, posted, facts, policy, invoiced });
  });
}

/** By vendor and number: the place of the first invoice that has them, counted from 1. */
function firstPlaces(invoices: readonly ReadInvoice[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, { vendor, number }] of invoices.entries()) {
    const key = keyOf(vendor, number);
    if (!places.has(key)) places.set(key, index + 1);
  }
  return places;
}

/** Spaces and case do not make another number. */
function keyOf(vendor: string, number: string): string {
  return JSON.stringify([comparableVendor(vendor), number.normalize('NFKC').replace(/\s+/g, '').toLowerCase()]);
}

interface Context {
  readonly firstOf: ReadonlyMap<string, number>;
  readonly posted: ReadonlyMap<string, PostedInvoiceFacts>;
  readonly facts: ErpFacts;
  readonly policy: InvoicePolicy;
  readonly invoiced: InvoicedQuantities;
}

function matchInvoice(invoice: ReadInvoice, index: number, context: Context): MatchedInvoice {
  const { facts, policy, invoiced } = context;
  const order = orderOf(invoice, facts);
  const whole = wholeFindings(invoice, index, order, context);
  const isMatchable =
    order !== undefined && !whole.some(({ status }) => status === 'duplicate' || status === 'credit_note');
  const lines: readonly MatchedLine[] = isMatchable
    ? matchLines(invoice, { order, policy, invoiced })
    : invoice.lines.map((line) => ({ ...line, findings: checkedAmount(line, invoice.currency, policy) }));
  const { number, vendor, currency, total, issuedOn, source, orderNumber } = invoice;
  const isLost = whole.some(({ status }) => status === 'order_missing' || status === 'order_unknown');
  return {
    index,
    number,
    vendor,
    ...(orderNumber === undefined ? {} : { order: order?.number ?? orderNumber.trim() }),
    currency,
    total,
    ...(issuedOn === undefined ? {} : { issuedOn }),
    source,
    findings: whole,
    lines,
    ...(isLost ? { candidates: candidatesFor(invoice, facts) } : {}),
    ...(isMatchable ? { invoicedAtErp: invoicedAtErp(order, lines) } : {}),
  };
}

function orderOf({ orderNumber }: ReadInvoice, { orders }: ErpFacts): OrderFacts | undefined {
  const order = orderNumber === undefined ? undefined : orders.get(orderNumber.trim());
  return order?.status === 'posted' ? order : undefined;
}

function wholeFindings(
  invoice: ReadInvoice,
  place: number,
  order: OrderFacts | undefined,
  context: Context,
): Finding[] {
  const { kind, number, vendor, currency, total, orderNumber = '' } = invoice;
  const atStake = new Big(total).abs().toFixed();
  const finding = (status: Exception, text: string): Finding[] => [{ status, text, atStake }];
  if (kind === 'credit_note' || new Big(total).lt(0)) {
    return finding('credit_note', 'A credit note is not posted from here: enter it in the ERP by hand');
  }
  const double = duplicateText(invoice, place, context);
  if (double !== undefined) return finding('duplicate', double);
  const sums = sumFindings(invoice, context.policy);
  if (orderNumber.trim() === '') return [...finding('order_missing', `Invoice ${number} names no order`), ...sums];
  if (order === undefined) {
    return [...finding('order_unknown', `The ERP has no order ${orderNumber.trim()} that stands`), ...sums];
  }
  return [
    ...(isSameVendor(order.vendor, vendor)
      ? []
      : finding('vendor_differs', `Vendor ${vendor}, ordered from ${order.vendor}`)),
    ...(order.currency === currency
      ? []
      : finding('currency_differs', `Invoiced in ${currency}, ordered in ${order.currency}`)),
    ...sums,
  ];
}

function duplicateText(
  { number, vendor }: ReadInvoice,
  place: number,
  { firstOf, posted }: Context,
): string | undefined {
  const key = keyOf(vendor, number);
  const atErp = posted.get(key);
  if (atErp !== undefined) return `The ERP has invoice ${number} of this vendor already, as ${atErp.number}`;
  const first = firstOf.get(key) ?? place;
  return first === place
    ? undefined
    : `Invoice ${number} of this vendor stands in this call already, as number ${first}`;
}

function sumFindings(invoice: ReadInvoice, policy: InvoicePolicy): Finding[] {
  const { lines, net, tax, total, currency } = invoice;
  const inAll = lines.reduce((sum, line) => sum.plus(line.amount), new Big(0));
  const checks: readonly (readonly [string, Big, Big])[] = [
    ...(net === undefined ? [] : [['The lines', inAll, new Big(net)] as const]),
    ['Lines and tax', (net === undefined ? inAll : new Big(net)).plus(tax ?? '0'), new Big(total)],
  ];
  const differing = checks.flatMap(([what, computed, said]) => {
    const difference = computed.minus(said).abs();
    // An invoice may give its net and its total and leave the tax between them unsaid.
    if (
      difference.lte(policy.sums[currency] ?? '0') ||
      (what === 'Lines and tax' && tax === undefined && net !== undefined)
    ) {
      return [];
    }
    const text = `${what} add up to ${fixed(computed, currency)} ${currency}, not ${fixed(said, currency)} ${currency}`;
    return [{ status: 'sums_differ' as const, text, atStake: fixed(difference, currency) }];
  });
  return [...differing, ...taxFindings(invoice, inAll, policy)];
}

/** No order says what tax comes to it: whoever writes an invoice could write any. */
function taxFindings(
  { net, tax, total, currency }: ReadInvoice,
  inAll: Big,
  { sums, maxTaxPercent }: InvoicePolicy,
): Finding[] {
  const base = new Big(net ?? inAll);
  const unsaid = net === undefined ? '0' : new Big(total).minus(base);
  const taxed = new Big(tax ?? unsaid);
  const most = base.abs().times(maxTaxPercent).div(100);
  const rounding = sums[currency] ?? '0';
  if (taxed.gte(new Big(0).minus(rounding)) && taxed.lte(most.plus(rounding))) return [];
  const text = `${fixed(taxed, currency)} ${currency} of tax on ${fixed(base, currency)} ${currency} is not within 0 and ${maxTaxPercent} %`;
  return [{ status: 'sums_differ', text, atStake: fixed(taxed.abs(), currency) }];
}

function candidatesFor({ vendor, currency }: ReadInvoice, { orders }: ErpFacts): string[] {
  return [...orders.values()]
    .filter((order) => order.status === 'posted' && order.currency === currency && isSameVendor(order.vendor, vendor))
    .map(({ number }) => number)
    .sort()
    .slice(0, MAX_CANDIDATES);
}

function countIn({ order, lines }: MatchedInvoice, invoiced: InvoicedQuantities): void {
  if (order === undefined) return;
  for (const { orderLine, quantity } of lines)
    if (orderLine !== undefined) invoiced.add(order, orderLine - 1, quantity);
}

function invoicedAtErp(order: OrderFacts, lines: readonly MatchedLine[]): Readonly<Record<string, string>> {
  const used = new Set(lines.flatMap(({ orderLine }) => (orderLine === undefined ? [] : [orderLine])));
  return Object.fromEntries([...used].map((line) => [String(line), order.lines[line - 1]?.invoiced ?? '0']));
}
