/**
 * Which lines of an order are of the article of an invoice's line: by article number where both have one, else by the words.
 * An order's lines are looked up rather than walked through: 5,000 lines against an order of 1,000 would hold up the worker.
 */
import type { ReadInvoiceLine } from './invoice.ts';
import type { OrderFacts } from './order-facts.ts';

interface Articles {
  readonly bySku: ReadonlyMap<string, readonly number[]>;
  readonly byWords: ReadonlyMap<string, readonly number[]>;
}

const known = new WeakMap<OrderFacts, Articles>();

/** Places of the order's lines, counted from 0, the first one first. */
export function sameArticleIn(order: OrderFacts, { sku, description }: ReadInvoiceLine): readonly number[] {
  const { bySku, byWords } = articlesOf(order);
  const sameWords = byWords.get(comparable(description)) ?? [];
  if (!hasText(sku)) return sameWords;
  const worded = sameWords.filter((index) => !hasText(order.lines[index]?.sku));
  return [...(bySku.get(comparable(sku)) ?? []), ...worded].sort((one, other) => one - other);
}

function articlesOf(order: OrderFacts): Articles {
  const found = known.get(order);
  if (found !== undefined) return found;
  const bySku = new Map<string, number[]>();
  const byWords = new Map<string, number[]>();
  for (const [index, { sku, description }] of order.lines.entries()) {
    if (hasText(sku)) add(bySku, comparable(sku), index);
    add(byWords, comparable(description), index);
  }
  const articles = { bySku, byWords };
  known.set(order, articles);
  return articles;
}

function add(places: Map<string, number[]>, name: string, index: number): void {
  const same = places.get(name);
  if (same === undefined) places.set(name, [index]);
  else same.push(index);
}

function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s-]+/g, ' ')
    .trim();
}
