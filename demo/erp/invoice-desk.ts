/**
 * The ERP's invoices over HTTP. A repeated `POST /invoices` is told from a new one as an order is, by the mode; in each mode a
 * second invoice of the same vendor and number is a 409 that names the first, unless that was voided.
 */
import type { IncomingMessage } from 'node:http';
import type { Point } from './faults.ts';
import { readJson, type Answer } from './http.ts';
import { invoiceFault, type Invoice, type NewInvoice } from './invoice.ts';
import type { OrderBook } from './order-book.ts';

interface Parts {
  readonly isKeyed: boolean;
  readonly isUnique: boolean;
  readonly book: OrderBook;
  /** Lets the request pass a point, or throws what became of it there. */
  readonly pass: (point: Point) => Promise<void>;
  /** Whether a search shows it yet. */
  readonly isShown: (invoice: Invoice) => boolean;
}

export interface Asked {
  readonly method: string;
  readonly number: string | undefined;
  readonly verb: string | undefined;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

const NOT_FOUND: Answer = { status: 404, body: { error: 'not found' } };

export function createInvoiceDesk({
  isKeyed,
  isUnique,
  book,
  pass,
  isShown,
}: Parts): (asked: Asked) => Promise<Answer> {
  async function post(request: IncomingMessage): Promise<Answer> {
    const body = await readJson(request);
    const fault = invoiceFault(body);
    if (fault !== undefined) return { status: 400, body: { error: fault } };
    await pass('invoices-before-accept');
    const answer = accept(body as NewInvoice, request.headers['idempotency-key'] as string | undefined);
    await pass('invoices-after-accept');
    return answer;
  }

  function accept(invoice: NewInvoice, key: string | undefined): Answer {
    const known = key === undefined || !isKeyed ? undefined : book.invoiceByKey(key);
    if (known !== undefined) {
      if (known.reference === invoice.reference) return { status: 200, body: known };
      return { status: 422, body: { error: 'the key belongs to another invoice' } };
    }
    const [taken] = isUnique ? book.invoices.filter(({ reference }) => reference === invoice.reference) : [];
    if (taken !== undefined) return { status: 409, body: { error: 'the reference is taken', number: taken.number } };
    const double = book.invoiceOfVendor(invoice);
    if (double !== undefined) {
      return { status: 409, body: { error: 'the vendor has an invoice with this number', duplicateOf: double.number } };
    }
    const order = book.byNumber(invoice.order);
    if (order?.status !== 'posted') return { status: 422, body: { error: 'there is no such order' } };
    if (invoice.lines.some(({ line }) => line !== undefined && order.lines[line - 1] === undefined)) {
      return { status: 422, body: { error: `order ${order.number} has no such line` } };
    }
    return { status: 201, body: book.acceptInvoice(invoice, isKeyed ? key : undefined) };
  }

  async function voidInvoice(number: string): Promise<Answer> {
    await pass('void-before-accept');
    const invoice = book.voidInvoice(number);
    await pass('void-after-accept');
    return invoice === undefined ? NOT_FOUND : { status: 200, body: invoice };
  }

  async function search(query: URLSearchParams): Promise<Answer> {
    await pass('search');
    const reference = query.get('reference');
    const vendor = query.get('vendor');
    const vendorInvoice = query.get('vendorInvoice');
    if (reference !== null) {
      const invoices = book.invoices.filter((one) => one.reference === reference && isShown(one));
      return { status: 200, body: { invoices } };
    }
    if (vendor === null || vendorInvoice === null) {
      return { status: 400, body: { error: 'name a reference, or vendor and vendorInvoice' } };
    }
    const found = book.invoiceOfVendor({ vendor, vendorInvoice });
    return { status: 200, body: { invoices: found === undefined ? [] : [found] } };
  }

  return async ({ method, number, verb, query, request }) => {
    if (method === 'POST' && number === undefined) return post(request);
    if (method === 'POST' && number !== undefined && verb === 'void') return voidInvoice(number);
    if (method !== 'GET' || verb !== undefined) return NOT_FOUND;
    if (number === undefined) return search(query);
    await pass('read');
    const invoice = book.invoices.find((one) => one.number === number);
    return invoice === undefined ? NOT_FOUND : { status: 200, body: invoice };
  };
}
