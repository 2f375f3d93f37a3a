/**
 * What stands before the eyes of whoever approves an order. An approval holds 16 KB: the lines that do not fit stand in a
 * PDF, whose digest is shown, so that a decision is bound to them as well.
 */
import type { DraftLine } from '../activities/order-draft.ts';
import type { CompletedOrder } from './order-completion.ts';
import { oneLine } from '../protocol/one-line.ts';
import type { OrderFile } from './order-paper.ts';

type Shown = Record<string, string>;

export interface ShownOrder {
  readonly details: Readonly<Record<string, string>>;
  /** Some of the lines are only in the paper, if there is one. */
  readonly isWhole: boolean;
}

interface Beside {
  /** Names of those who have approved it before. */
  readonly approvedBy: readonly string[];
  /** What was asked for when it was shown before. */
  readonly changesAsked?: string | undefined;
  readonly paper?: OrderFile | undefined;
}

const MAX_DETAILS_CHARS = 12_000;
const MAX_NAMES_CHARS = 400;
const MAX_CHANGES_CHARS = 400;
/** For the line about the lines that are left out. */
const ROOM_FOR_REST = 300;
/** For those who approve meanwhile: every role is shown the same lines. */
const ROOM_FOR_NAMES = 1_000;

export function shownOrder(completed: CompletedOrder, beside: Beside): ShownOrder {
  const before = headOf(completed);
  const after = footOf(completed, beside);
  const { lines, currency } = completed.order;
  const alwaysShown = sizeOf(before) + sizeOf(footOf(completed, { ...beside, approvedBy: [] }));
  let room = MAX_DETAILS_CHARS - ROOM_FOR_REST - ROOM_FOR_NAMES - alwaysShown;
  const shown: Shown = {};
  for (const [index, line] of lines.entries()) {
    const entry = { [`Line ${index + 1}`]: lineText(line, currency) };
    room -= sizeOf(entry);
    if (room < 0) break;
    Object.assign(shown, entry);
  }
  const left = lines.length - Object.keys(shown).length;
  if (left === 0) return { details: { ...before, ...shown, ...after }, isWhole: true };
  const { paper } = beside;
  const where = paper === undefined ? '' : `: all ${lines.length} are in ${paper.name} (SHA-256 ${paper.sha256})`;
  return { details: { ...before, ...shown, 'More lines': `${left} more${where}`, ...after }, isWhole: false };
}

function headOf({ order: { vendor }, verdict }: CompletedOrder): Shown {
  const route = verdict.orderMail;
  return {
    'What happens': 'One order is posted to the ERP, once, and a PDF of it is written.',
    Vendor: verdict.isNewVendor ? `${vendor} (new: not on the list of known vendors)` : vendor,
    ...(route !== undefined && 'to' in route ? { 'Goes by mail to': route.to } : {}),
  };
}

function footOf({ order, verdict }: CompletedOrder, { approvedBy, changesAsked }: Beside): Shown {
  const { total, currency, costCentre, category, neededBy, justification } = order;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['Total', `${total} ${currency}`],
    ['Cost centre', verdict.costCentres.find(({ value }) => value === costCentre)?.title ?? costCentre],
    ['Category', category],
    ['Needed by', neededBy],
    ['Justification', justification],
    ['Purchase policy', verdict.policyVersion],
    ['Approved before by', approvedBy.length === 0 ? undefined : oneLine(approvedBy.join(', '), MAX_NAMES_CHARS)],
    ['Changes asked for before', changesAsked === undefined ? undefined : oneLine(changesAsked, MAX_CHANGES_CHARS)],
  ];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Numbers first: a description cannot pass for them. */
function lineText({ description, sku, quantity, unitPrice, amount }: DraftLine, currency: string): string {
  return `${quantity} × ${unitPrice} = ${amount} ${currency}: ${description}${sku === undefined ? '' : ` (SKU ${sku})`}`;
}

function sizeOf(part: Shown): number {
  return JSON.stringify(part).length;
}
