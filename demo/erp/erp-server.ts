/**
 * A small ERP over HTTP. How it keeps a repeated `POST /orders` from making a second order depends on its mode:
 *
 * - `idempotency-key`: the header `Idempotency-Key`; the same key gets the first outcome, also after a void.
 * - `unique-reference`: an order's reference is unique; a second order under it is a 409 that names the first.
 * - `search-only`: nothing does. `GET /orders?reference=` shows an accepted order, three seconds late.
 *
 * Goods come for an order by `POST /orders/:number/receipts`; an order for which some have come can no longer be voided.
 *
 * What vendors want to be paid for it is in invoice-desk.ts.
 *
 * The check and the acceptance are one synchronous piece: no two requests come between.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { control } from './control.ts';
import { Faults, type Point } from './faults.ts';
import { readJson, writeJson, type Answer } from './http.ts';
import { createInvoiceDesk } from './invoice-desk.ts';
import type { OrderBook } from './order-book.ts';
import { orderFault, type NewOrder } from './order.ts';
import { receiptFault, receiptRefusal, type NewReceipt } from './receipt.ts';

export const MODES = ['idempotency-key', 'unique-reference', 'search-only'] as const;
export type Mode = (typeof MODES)[number];

interface ErpOptions {
  readonly mode: Mode;
  readonly book: OrderBook;
  /** Serves `/control`, by which tests inject faults. */
  readonly hasControl: boolean;
  /** How late the search is in `search-only`. Default: 3,000. */
  readonly searchLagMs?: number | undefined;
}

class Cut extends Error {}
class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

export function createErpServer({ mode, book, hasControl, searchLagMs = 3_000 }: ErpOptions): Server {
  const faults = new Faults();

  /** Lets the request pass `point`, or throws what became of it there. */
  async function pass(point: Point): Promise<void> {
    const passage = await faults.pass(point);
    if (passage === 'drop') throw new Cut();
    if (passage === 'unavailable') throw new Refused({ status: 503, body: { error: 'unavailable' } });
    if (passage === 'refuse') throw new Refused({ status: 422, body: { error: 'the vendor account is closed' } });
    if (typeof passage === 'object') throw new Refused({ ...passage, body: {} });
  }

  async function postOrder(request: IncomingMessage): Promise<Answer> {
    const body = await readJson(request);
    const fault = orderFault(body);
    if (fault !== undefined) return { status: 400, body: { error: fault } };
    await pass('orders-before-accept');
    const answer = accept(body as NewOrder, request.headers['idempotency-key'] as string | undefined);
    await pass('orders-after-accept');
    return answer;
  }

  function accept(order: NewOrder, key: string | undefined): Answer {
    const first = mode === 'idempotency-key' && key !== undefined ? book.byKey(key) : undefined;
    if (first !== undefined) {
      if (first.reference !== order.reference)
        return { status: 422, body: { error: 'the key belongs to another order' } };
      return { status: 200, body: first };
    }
    const [taken] = mode === 'unique-reference' ? book.byReference(order.reference) : [];
    if (taken !== undefined) return { status: 409, body: { error: 'the reference is taken', number: taken.number } };
    if (order.number !== undefined && book.byNumber(order.number) !== undefined) {
      return { status: 409, body: { error: 'the number is taken', number: order.number } };
    }
    return { status: 201, body: book.accept(order, mode === 'idempotency-key' ? key : undefined) };
  }

  /** The search may lag behind. */
  function isShown({ acceptedAt }: { readonly acceptedAt: string }): boolean {
    return mode !== 'search-only' || Date.parse(acceptedAt) <= Date.now() - searchLagMs;
  }

  async function search(query: URLSearchParams): Promise<Answer> {
    const [reference, vendor] = [query.get('reference'), query.get('vendor')];
    if (reference === null && vendor === null) return { status: 400, body: { error: 'name a reference or a vendor' } };
    await pass('search');
    const found =
      reference === null ? book.all().filter((order) => order.vendor === vendor) : book.byReference(reference);
    return { status: 200, body: { orders: found.filter(isShown) } };
  }

  const invoices = createInvoiceDesk({
    isKeyed: mode === 'idempotency-key',
    isUnique: mode === 'unique-reference',
    book,
    pass,
    isShown,
  });

  async function readOrder(number: string): Promise<Answer> {
    await pass('read');
    const order = book.byNumber(number);
    return order === undefined ? NOT_FOUND : { status: 200, body: order };
  }

  async function voidOrder(number: string): Promise<Answer> {
    await pass('void-before-accept');
    if (book.receiptsOf(number).length > 0) return { status: 422, body: { error: 'goods have come for this order' } };
    const order = book.void(number);
    await pass('void-after-accept');
    return order === undefined ? NOT_FOUND : { status: 200, body: order };
  }

  async function postReceipt(number: string, request: IncomingMessage): Promise<Answer> {
    const body = await readJson(request);
    const fault = receiptFault(body);
    if (fault !== undefined) return { status: 400, body: { error: fault } };
    await pass('receipts-before-accept');
    const answer = receive(number, body as NewReceipt);
    await pass('receipts-after-accept');
    return answer;
  }

  function receive(number: string, receipt: NewReceipt): Answer {
    const order = book.byNumber(number);
    if (order === undefined) return NOT_FOUND;
    const first = book.receiptUnder(number, receipt.reference);
    if (first !== undefined) return { status: 200, body: first };
    const refusal = receiptRefusal(order, book.receiptsOf(number), receipt);
    if (refusal !== undefined) return { status: 422, body: { error: refusal } };
    return { status: 201, body: book.receive(number, receipt) };
  }

  async function readReceipts(number: string): Promise<Answer> {
    await pass('receipts-read');
    if (book.byNumber(number) === undefined) return NOT_FOUND;
    return { status: 200, body: { receipts: book.receiptsOf(number) } };
  }

  async function readInvoices(number: string): Promise<Answer> {
    await pass('read');
    if (book.byNumber(number) === undefined) return NOT_FOUND;
    return { status: 200, body: { invoices: book.invoices.filter(({ order }) => order === number) } };
  }

  async function route(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://erp.invalid');
    const [, collection, number, verb, ...rest] = url.pathname.split('/');
    const what = `${request.method ?? ''} ${collection ?? ''}`;
    if (hasControl && collection === 'control') return control(request, number ?? '', { book, faults });
    if (what === 'GET healthz') return { status: 200, body: { status: 'ok' } };
    if (what === 'GET capabilities') {
      await pass('capabilities');
      return { status: 200, body: { mode } };
    }
    if (rest.length > 0) return NOT_FOUND;
    if (collection === 'invoices') {
      return invoices({ method: request.method ?? '', number, verb, query: url.searchParams, request });
    }
    if (what === 'POST orders' && number === undefined) return postOrder(request);
    if (what === 'POST orders' && number !== undefined && verb === 'void') return voidOrder(number);
    if (what === 'POST orders' && number !== undefined && verb === 'receipts') return postReceipt(number, request);
    if (what !== 'GET orders') return NOT_FOUND;
    if (number !== undefined && verb === 'receipts') return readReceipts(number);
    if (number !== undefined && verb === 'invoices') return readInvoices(number);
    if (number !== undefined) return readOrder(number);
    return search(url.searchParams);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await route(request).catch((error: unknown): Answer | undefined => {
      if (error instanceof Refused) return error.answer;
      if (error instanceof Cut) return undefined;
      process.stderr.write(`${String(error)}\n`);
      return { status: 500, body: { error: 'internal error' } };
    });
    if (answer === undefined) response.destroy();
    else writeJson(response, answer);
  }

  return createServer((request, response) => void serve(request, response));
}

const NOT_FOUND: Answer = { status: 404, body: { error: 'not found' } };
