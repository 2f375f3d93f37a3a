/** How much of an order's lines is invoiced: at the ERP, and by the invoices of this call that come first. */
import Big from 'big.js';
import type { OrderFacts } from './order-facts.ts';

export class InvoicedQuantities {
  readonly #added = new Map<string, Big>();
  /** By order and line: thousands of lines are compared with each line of their order. */
  readonly #open = new Map<string, Big[]>();

  of(order: OrderFacts, lineIndex: number): Big {
    const atErp = new Big(order.lines[lineIndex]?.invoiced ?? '0');
    return atErp.plus(this.#added.get(keyOf(order.number, lineIndex)) ?? 0);
  }

  /** What has come and is not invoiced; below zero when more is. */
  openOf(order: OrderFacts, lineIndex: number): Big {
    const lines =
      this.#open.get(order.number) ??
      order.lines.map((line, index) => new Big(line.received).minus(this.of(order, index)));
    this.#open.set(order.number, lines);
    return lines[lineIndex] ?? new Big(0);
  }

  add(order: string, lineIndex: number, quantity: string): void {
    const key = keyOf(order, lineIndex);
    this.#added.set(key, (this.#added.get(key) ?? new Big(0)).plus(quantity));
    const lines = this.#open.get(order);
    const open = lines?.[lineIndex];
    if (lines !== undefined && open !== undefined) lines[lineIndex] = open.minus(quantity);
  }
}

function keyOf(order: string, lineIndex: number): string {
  return `${order} ${String(lineIndex)}`;
}
