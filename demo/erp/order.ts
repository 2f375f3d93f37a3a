/** What the demo ERP knows of an order. */

export type OrderStatus = 'posted' | 'draft' | 'voided';

export interface OrderLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
}

/** What a caller sends. Amounts and quantities are decimal strings. */
export interface NewOrder {
  /** Of an order that another system had before. Default: the next one. */
  readonly number?: string;
  /** The caller's own name for the order. */
  readonly reference: string;
  readonly status: 'posted' | 'draft';
  readonly vendor: string;
  readonly currency: string;
  readonly total: string;
  readonly lines: readonly OrderLine[];
  readonly costCentre?: string;
  readonly neededBy?: string;
  readonly justification?: string;
}

export interface Order extends Omit<NewOrder, 'status'> {
  readonly number: string;
  readonly status: OrderStatus;
  /** ISO 8601. */
  readonly acceptedAt: string;
}

const TAKEN_OVER = /^PO-\d{6}$/;
const DECIMAL = /^\d{1,15}(\.\d{1,6})?$/;

/** What is wrong with a body that should be an order, or `undefined`. */
export function orderFault(body: unknown): string | undefined {
  if (!isRecord(body)) return 'the body must be an object';
  for (const name of ['reference', 'vendor', 'currency'] as const) {
    if (!isText(body[name])) return `${name} must be a text`;
  }
  const { number } = body;
  if (number !== undefined && !(typeof number === 'string' && TAKEN_OVER.test(number))) {
    return 'number must be like PO-440001';
  }
  if (body['status'] !== 'posted' && body['status'] !== 'draft') return 'status must be posted or draft';
  if (!isDecimal(body['total'])) return 'total must be a decimal';
  const { lines } = body;
  if (!Array.isArray(lines) || lines.length === 0) return 'lines must be a list of at least one line';
  const isLine = (line: unknown): boolean =>
    isRecord(line) &&
    isText(line['description']) &&
    isDecimal(line['quantity']) &&
    isDecimal(line['unitPrice']) &&
    isDecimal(line['amount']);
  return lines.every(isLine) ? undefined : 'every line needs description, quantity, unitPrice and amount';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 300;
}
export function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}
