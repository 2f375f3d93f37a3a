/** From what a caller sent to an order draft: every field checked, every amount exact. */
import { ApplicationFailure } from '@temporalio/activity';
import { hasFormat } from '../protocol/answer-check.ts';
import { TOOL_FAILURE } from '../protocol/task-failure.ts';
import { decimalFault, isEqual, lineAmount, minorUnitsOf, sum, withDecimals } from './money.ts';
import type { DraftLine, OrderDraft } from './order-draft.ts';
import { hasUnseen } from './plain-text.ts';
import { MAX_LINES, type RawField, type RawLine, type RawRequest } from './raw-request.ts';
import { parseCsvRequest } from './request-csv.ts';
import { RequestFault } from './request-fault.ts';
import { parseJsonRequest, toRawRequest } from './request-json.ts';

/** The arguments of `purchase_order`: a `document`, or the fields themselves. */
export interface PurchaseRequest {
  readonly document?: { readonly format: 'json' | 'csv'; readonly text: string };
  readonly [field: string]: unknown;
}

const MAX_CHARS = {
  vendor: 120,
  description: 200,
  sku: 64,
  costCentre: 40,
  category: 40,
  justification: 2_000,
} as const;
const QUANTITY_DECIMALS = 3;

/** @throws ToolFailure that names what is wrong, where, and what to do */
export async function readPurchaseRequest({ request }: { request: PurchaseRequest }): Promise<OrderDraft> {
  try {
    return toDraft(rawRequestOf(request));
  } catch (error) {
    if (error instanceof RequestFault) throw ApplicationFailure.nonRetryable(error.message, TOOL_FAILURE);
    throw error;
  }
}

function rawRequestOf({ document, ...fields }: PurchaseRequest): RawRequest {
  if (document === undefined) return toRawRequest(fields, '');
  if (Object.values(fields).some((value) => value !== undefined)) {
    throw new RequestFault('document', 'cannot be combined with other arguments. Pass the document alone.');
  }
  return document.format === 'csv' ? parseCsvRequest(document.text) : parseJsonRequest(document.text);
}

function toDraft({ order, lines }: RawRequest): OrderDraft {
  const vendor = lineOfText(needed(order.vendor, 'vendor'), MAX_CHARS.vendor);
  const currencyField = needed(order.currency, 'currency');
  const currency = currencyField.text.trim();
  const minorUnits = minorUnitsOf(currency);
  if (minorUnits === undefined) throw new RequestFault(currencyField.place, 'must be an ISO 4217 code like EUR.');
  if (lines.length === 0) throw new RequestFault('lines', 'must hold at least one line item.');
  if (lines.length > MAX_LINES) throw new RequestFault('lines', `must hold at most ${MAX_LINES} line items.`);
  const draftLines = lines.map((line) => toDraftLine(line, minorUnits));
  const amounts = draftLines.map(({ amount }) => amount);
  const { costCentre, category, neededBy, justification } = order;
  return {
    vendor,
    currency,
    lines: draftLines,
    total: checkedTotal(sum(amounts, minorUnits), order.total, minorUnits),
    ...(costCentre === undefined ? {} : { costCentre: lineOfText(costCentre, MAX_CHARS.costCentre) }),
    ...(category === undefined ? {} : { category: lineOfText(category, MAX_CHARS.category) }),
    ...(neededBy === undefined ? {} : { neededBy: calendarDate(neededBy) }),
    ...(justification === undefined ? {} : { justification: checkedText(justification, MAX_CHARS.justification) }),
  };
}

function toDraftLine({ fields, place }: RawLine, minorUnits: number): DraftLine {
  const description = lineOfText(needed(fields.description, `${place}, description`), MAX_CHARS.description);
  const quantity = decimal(needed(fields.quantity, `${place}, quantity`), QUANTITY_DECIMALS);
  const unitPrice = decimal(needed(fields.unitPrice, `${place}, unit price`), minorUnits);
  if (isEqual(quantity, '0')) throw new RequestFault(fields.quantity?.place ?? place, 'must be more than zero.');
  return {
    description,
    ...(fields.sku === undefined ? {} : { sku: lineOfText(fields.sku, MAX_CHARS.sku) }),
    quantity: withDecimals(quantity),
    unitPrice: withDecimals(unitPrice, minorUnits),
    amount: lineAmount(quantity, unitPrice, minorUnits),
  };
}

function checkedTotal(total: string, stated: RawField | undefined, minorUnits: number): string {
  if (stated !== undefined && !isEqual(decimal(stated, minorUnits), total)) {
    throw new RequestFault(
      stated.place,
      'is not the sum of the lines. Lines may be missing: send the request whole, or correct the total.',
    );
  }
  return total;
}

function needed(field: RawField | undefined, place: string): RawField {
  if (field === undefined || field.text.trim() === '') throw new RequestFault(field?.place ?? place, 'is missing.');
  return field;
}

function decimal({ text, place }: RawField, maxDecimals: number): string {
  const fault = decimalFault(text.trim(), maxDecimals);
  if (fault !== undefined) throw new RequestFault(place, fault);
  return text.trim();
}

function calendarDate({ text, place }: RawField): string {
  if (hasFormat('date', text.trim())) return text.trim();
  throw new RequestFault(place, 'must be a date that exists, written YYYY-MM-DD.');
}

function lineOfText(field: RawField, maxChars: number): string {
  return checkedText(field, maxChars).replace(/\s+/g, ' ');
}

/** Characters that are not seen, or turn around what is seen, do not get into an order. */
function checkedText({ text, place }: RawField, maxChars: number): string {
  const content = text.normalize('NFC').trim();
  if ([...content].length > maxChars) throw new RequestFault(place, `must have at most ${maxChars} characters.`);
  if (hasUnseen(content)) throw new RequestFault(place, 'holds control characters. Write plain text.');
  return content;
}
