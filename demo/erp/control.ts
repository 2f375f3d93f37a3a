/** What tests may do to the ERP: inject faults, let go whom they hold, and see every order. */
import type { IncomingMessage } from 'node:http';
import { POINTS, type Fault, type Faults, type Point } from './faults.ts';
import { readJson, type Answer } from './http.ts';
import type { Invoice } from './invoice.ts';
import type { OrderBook } from './order-book.ts';
import type { Order } from './order.ts';

/** `GET /control/state`. */
export interface ControlState {
  /** All of them, the voided ones too. */
  readonly orders: readonly Order[];
  /** All of them, the voided ones too. */
  readonly invoices: readonly Invoice[];
  /** Orders by reference, the voided ones too. */
  readonly countByReference: Readonly<Record<string, number>>;
  /** Requests that stand still, by point. */
  readonly held: Readonly<Record<string, number>>;
}

interface Parts {
  readonly book: OrderBook;
  readonly faults: Faults;
}

export async function control(request: IncomingMessage, name: string, { book, faults }: Parts): Promise<Answer> {
  if (request.method === 'GET' && name === 'state') return { status: 200, body: stateOf(book, faults) };
  if (request.method !== 'POST') return { status: 404, body: { error: 'not found' } };
  const body = (await readJson(request)) as Partial<Fault> | undefined;
  const at = body?.at;
  if (name === 'release') {
    if (at === undefined) faults.releaseAll();
    else faults.release(at);
    return { status: 200, body: {} };
  }
  if (name !== 'faults' || !isPoint(at))
    return { status: 400, body: { error: `at must be one of ${POINTS.join(', ')}` } };
  faults.arm(body as Fault);
  return { status: 200, body: {} };
}

function isPoint(value: unknown): value is Point {
  return (POINTS as readonly unknown[]).includes(value);
}

function stateOf(book: OrderBook, faults: Faults): ControlState {
  const orders = book.all();
  const countByReference: Record<string, number> = {};
  for (const { reference } of orders) countByReference[reference] = (countByReference[reference] ?? 0) + 1;
  return { orders, invoices: book.invoices, countByReference, held: faults.heldCounts() };
}
