/** How much of an order's lines is invoiced: at the ERP, and by the invoices of this call that come first. */
import Big from 'big.js';
import type { OrderFacts } from './order-facts.ts';

export class InvoicedQuantities {
  readonly #atErp = new Map<string, Big>();
  readonly #added = new Map<string, Big>();

  of(order: OrderFacts, lineIndex: number): Big {
    const key = keyOf(order.number, lineIndex);
    // Parsed once: lines of the same article are asked about again and again.
    const atErp = this.#atErp.get(key) ?? new Big(order.lines[lineIndex]?.invoiced ?? '0');
    this.#atErp.set(key, atErp);
    const added = this.#added.get(key);
    return added === undefined ? atErp : atErp.plus(added);
  }

  add(order: string, lineIndex: number, quantity: string): void {
    const key = keyOf(order, lineIndex);
    this.#added.set(key, (this.#added.get(key) ?? new Big(0)).plus(quantity));
  }
}

function keyOf(order: string, lineIndex: number): string {
  return `${order} ${String(lineIndex)}`;
}
