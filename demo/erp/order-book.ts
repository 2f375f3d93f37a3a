/**
 * The ERP's orders on disk: one JSON line a fact, appended and synchronised before the fact counts. What was accepted
 * survives `kill -9`; a line that a crash cut short was never accepted and is taken away on the next start.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NewOrder, Order } from './order.ts';

type Fact =
  | { readonly type: 'accepted'; readonly order: Order; readonly idempotencyKey?: string }
  | { readonly type: 'voided'; readonly number: string };

const FIRST_NUMBER = 450_001;

export class OrderBook {
  readonly #file: number;
  readonly #orders = new Map<string, Order>();
  readonly #numberByKey = new Map<string, string>();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a+');
    const text = readFileSync(path);
    const wholeBytes = text.lastIndexOf(0x0a) + 1;
    if (wholeBytes < text.length) ftruncateSync(this.#file, wholeBytes);
    for (const line of text.subarray(0, wholeBytes).toString('utf8').split('\n')) {
      if (line !== '') this.#apply(JSON.parse(line) as Fact);
    }
  }

  accept(order: NewOrder, idempotencyKey: string | undefined): Order {
    const number = `PO-${String(FIRST_NUMBER + this.#orders.size)}`;
    const accepted: Order = { ...order, number, acceptedAt: new Date().toISOString() };
    this.#record({ type: 'accepted', order: accepted, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    return accepted;
  }

  /** Voiding again changes nothing. */
  void(number: string): Order | undefined {
    if (this.#orders.get(number)?.status !== 'voided') {
      if (!this.#orders.has(number)) return undefined;
      this.#record({ type: 'voided', number });
    }
    return this.#orders.get(number);
  }

  byNumber(number: string): Order | undefined {
    return this.#orders.get(number);
  }
  /** A key stays taken after its order was voided. */
  byKey(idempotencyKey: string): Order | undefined {
    const number = this.#numberByKey.get(idempotencyKey);
    return number === undefined ? undefined : this.#orders.get(number);
  }
  byReference(reference: string): readonly Order[] {
    return this.all().filter((order) => order.reference === reference);
  }
  all(): readonly Order[] {
    return [...this.#orders.values()];
  }

  close(): void {
    closeSync(this.#file);
  }

  #record(fact: Fact): void {
    writeSync(this.#file, `${JSON.stringify(fact)}\n`);
    fsyncSync(this.#file);
    this.#apply(fact);
  }

  #apply(fact: Fact): void {
    if (fact.type === 'accepted') {
      this.#orders.set(fact.order.number, fact.order);
      if (fact.idempotencyKey !== undefined) this.#numberByKey.set(fact.idempotencyKey, fact.order.number);
      return;
    }
    const order = this.#orders.get(fact.number);
    if (order !== undefined) this.#orders.set(fact.number, { ...order, status: 'voided' });
  }
}
