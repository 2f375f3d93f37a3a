/** Goods that have come for an order. */
import { isDecimal, isRecord, isText, type Order } from './order.ts';

export interface ReceivedLine {
  /** Counted from 1, as the order's lines stand. */
  readonly line: number;
  /** A decimal string. */
  readonly quantity: string;
}

/** What whoever takes the goods in sends. */
export interface NewReceipt {
  /** Their own name for it, such as the number of the delivery note: the same one again is the same receipt. */
  readonly reference: string;
  /** ISO 8601. Default: now. */
  readonly receivedAt?: string;
  readonly lines: readonly ReceivedLine[];
}

export interface Receipt {
  readonly number: string;
  /** Number of the order. */
  readonly order: string;
  readonly receivedAt: string;
  readonly lines: readonly ReceivedLine[];
}

/** What is wrong with a body that should be a receipt, or `undefined`. */
export function receiptFault(body: unknown): string | undefined {
  if (!isRecord(body)) return 'the body must be an object';
  if (!isText(body['reference'])) return 'reference must be a text';
  const { receivedAt, lines } = body;
  if (receivedAt !== undefined && !isTime(receivedAt)) return 'receivedAt must be a time in ISO 8601';
  if (!Array.isArray(lines) || lines.length === 0) return 'lines must be a list of at least one line';
  const isLine = (line: unknown): boolean =>
    isRecord(line) && Number.isInteger(line['line']) && typeof line['quantity'] === 'string';
  return lines.every(isLine) ? undefined : 'every line needs line, a whole number, and quantity, a decimal string';
}

/** Why the goods cannot be taken in for `order`, of which `earlier` have come, or `undefined`. */
export function receiptRefusal(order: Order, earlier: readonly Receipt[], { lines }: NewReceipt): string | undefined {
  if (order.status !== 'posted') return `order ${order.number} is ${order.status}`;
  const received = new Map<number, bigint>();
  for (const { line, quantity } of earlier.flatMap((receipt) => receipt.lines)) {
    received.set(line, (received.get(line) ?? 0n) + millionths(quantity));
  }
  for (const { line, quantity } of lines) {
    const ordered = order.lines[line - 1]?.quantity;
    if (ordered === undefined) return `order ${order.number} has no line ${String(line)}`;
    if (!isDecimal(quantity) || millionths(quantity) === 0n) return 'quantity must be a decimal above 0';
    const sum = (received.get(line) ?? 0n) + millionths(quantity);
    if (sum > millionths(ordered)) return `line ${String(line)} would get more than the ${ordered} that were ordered`;
    received.set(line, sum);
  }
  return undefined;
}

/** Exact: a decimal of the ERP has at most six decimals. */
function millionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
