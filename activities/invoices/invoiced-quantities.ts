/** How much of an order's lines is invoiced: at the ERP, and by the invoices of this call that come first. */
import Big from 'big.js';
import type { OrderFacts } from './order-facts.ts';

export class InvoicedQuantities {
  readonly #added = new Map<string, Big>();

  of(order: OrderFacts, lineIndex: number): Big {
    const atErp = new Big(order.lines[lineIndex]?.invoiced ?? '0');
    return atErp.plus(this.#added.get(keyOf(order.number, lineIndex)) ?? '0');
  }

  add(order: string, lineIndex: number, quantity: string): void {
    const key = keyOf(order, lineIndex);
    this.#added.set(key, (this.#added.get(key) ?? new Big(0)).plus(quantity));
  }
}

function keyOf(order: string, lineIndex: number): string {
  return `${order} ${String(lineIndex)}`;
}
