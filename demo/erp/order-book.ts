/**
 * The ERP's orders, and what has come of them, on disk: one JSON line a fact, appended and synchronised before the fact counts. What was accepted
 * survives `kill -9`; a line that a crash cut short was never accepted and is taken away on the next start.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { vendorKey, type Invoice, type NewInvoice } from './invoice.ts';
import type { NewOrder, Order } from './order.ts';
import type { NewReceipt, Receipt } from './receipt.ts';

type Fact =
  | { readonly type: 'accepted'; readonly order: Order; readonly idempotencyKey?: string }
  | { readonly type: 'voided'; readonly number: string }
  | { readonly type: 'received'; readonly reference: string; readonly receipt: Receipt }
  | { readonly type: 'invoiced'; readonly invoice: Invoice; readonly idempotencyKey?: string }
  | { readonly type: 'invoiceVoided'; readonly number: string };

const FIRST_NUMBER = 450_001;
const FIRST_RECEIPT = 500_001;
const FIRST_INVOICE = 700_001;

export class OrderBook {
  readonly #file: number;
  readonly #orders = new Map<string, Order>();
  readonly #numberByKey = new Map<string, string>();
  readonly #received: Extract<Fact, { type: 'received' }>[] = [];
  readonly #invoices = new Map<string, Invoice>();
  readonly #invoiceByKey = new Map<string, string>();

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
    const number = order.number ?? this.#nextNumber();
    const accepted: Order = { ...order, number, acceptedAt: new Date().toISOString() };
    this.#record({ type: 'accepted', order: accepted, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    return accepted;
  }

  #nextNumber(): string {
    for (let next = FIRST_NUMBER + this.#orders.size; ; next += 1) {
      const number = `PO-${String(next)}`;
      if (!this.#orders.has(number)) return number;
    }
  }

  /** Voiding again changes nothing. */
  void(number: string): Order | undefined {
    if (this.#orders.get(number)?.status !== 'voided') {
      if (!this.#orders.has(number)) return undefined;
      this.#record({ type: 'voided', number });
    }
    return this.#orders.get(number);
  }

  /** `order` is one of this book's; what is wrong with the receipt has been told before. */
  receive(order: string, { reference, receivedAt, lines }: NewReceipt): Receipt {
    const receipt: Receipt = {
      number: `GR-${String(FIRST_RECEIPT + this.#received.length)}`,
      order,
      receivedAt: receivedAt ?? new Date().toISOString(),
      lines: lines.map(({ line, quantity }) => ({ line, quantity })),
    };
    this.#record({ type: 'received', reference, receipt });
    return receipt;
  }

  receiptsOf(order: string): readonly Receipt[] {
    return this.#received.map(({ receipt }) => receipt).filter((receipt) => receipt.order === order);
  }
  receiptUnder(order: string, reference: string): Receipt | undefined {
    return this.#received.find((fact) => fact.reference === reference && fact.receipt.order === order)?.receipt;
  }

  /** Its order is one of this book's. */
  acceptInvoice(invoice: NewInvoice, idempotencyKey: string | undefined): Invoice {
    const number = `IV-${String(FIRST_INVOICE + this.#invoices.size)}`;
    const accepted: Invoice = { ...invoice, number, status: 'posted', acceptedAt: new Date().toISOString() };
    this.#record({ type: 'invoiced', invoice: accepted, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    return accepted;
  }

  /** Voiding again changes nothing. */
  voidInvoice(number: string): Invoice | undefined {
    if (this.#invoices.get(number)?.status === 'posted') this.#record({ type: 'invoiceVoided', number });
    return this.#invoices.get(number);
  }

  get invoices(): readonly Invoice[] {
    return [...this.#invoices.values()];
  }
  /** A key stays taken after its invoice was voided. */
  invoiceByKey(idempotencyKey: string): Invoice | undefined {
    return this.#invoices.get(this.#invoiceByKey.get(idempotencyKey) ?? '');
  }
  /** That stands. */
  invoiceOfVendor(wanted: Pick<NewInvoice, 'vendor' | 'vendorInvoice'>): Invoice | undefined {
    const key = vendorKey(wanted);
    return this.invoices.find((invoice) => invoice.status === 'posted' && vendorKey(invoice) === key);
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
    switch (fact.type) {
      case 'accepted':
        this.#orders.set(fact.order.number, fact.order);
        if (fact.idempotencyKey !== undefined) this.#numberByKey.set(fact.idempotencyKey, fact.order.number);
        return;
      case 'voided':
        voidIn(this.#orders, fact.number);
        return;
      case 'received':
        this.#received.push(fact);
        return;
      case 'invoiced':
        this.#invoices.set(fact.invoice.number, fact.invoice);
        if (fact.idempotencyKey !== undefined) this.#invoiceByKey.set(fact.idempotencyKey, fact.invoice.number);
        return;
      case 'invoiceVoided':
        voidIn(this.#invoices, fact.number);
    }
  }
}

function voidIn<T extends Order | Invoice>(documents: Map<string, T>, number: string): void {
  const document = documents.get(number);
  if (document !== undefined) documents.set(number, { ...document, status: 'voided' });
}
