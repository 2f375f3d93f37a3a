/** From what is printed to what was read: one notation, plain texts, and the signs of a credit note. */
import Big from 'big.js';
import { minorUnitsOf } from '../money.ts';
import { hasUnseen } from '../plain-text.ts';
import type { InvoiceSource, ReadInvoice, ReadInvoiceLine } from './invoice.ts';
import type { PrintedLine } from './invoice-table.ts';
import { decimalSignOf, toDecimal, type DecimalSign } from './notation.ts';
import { ReadFault } from './read-fault.ts';

export interface PrintedInvoice {
  readonly isCredit: boolean;
  readonly number: string;
  readonly vendor: string;
  readonly orderNumber?: string;
  /** Read already. */
  readonly issuedOn?: string;
  readonly currency: string;
  readonly lines: readonly PrintedLine[];
  readonly net?: string;
  /** One a rate. */
  readonly taxes: readonly string[];
  readonly total: string;
  readonly source: InvoiceSource;
}

const MAX_CHARS = { number: 60, orderNumber: 60, vendor: 120, description: 500, sku: 64 } as const;

/** `sign`: where the document that it stands in decides. Default: the invoice does by itself. @throws ReadFault */
export function finishInvoice(printed: PrintedInvoice, sign?: DecimalSign): ReadInvoice {
  const { currency, source, issuedOn } = printed;
  const minorUnits = minorUnitsOf(currency);
  if (minorUnits === undefined)
    throw new ReadFault(`"${currency.slice(0, 10)}" is no currency: write an ISO 4217 code like EUR.`);
  const decimalSign = sign ?? decimalSignOf(numbersOf(printed), minorUnits);
  const decimal = (text: string): string => toDecimal(text, decimalSign);
  const lines = printed.lines.map((line): ReadInvoiceLine => {
    const { description, sku, quantity, unitPrice, amount } = line;
    const what = {
      description: plain('description', description),
      ...(sku === undefined ? {} : { sku: plain('sku', sku) }),
    };
    return { ...what, quantity: decimal(quantity), unitPrice: decimal(unitPrice), amount: decimal(amount) };
  });
  const total = decimal(printed.total);
  const isCredit = printed.isCredit || total.startsWith('-');
  const turn = isCredit && !total.startsWith('-');
  const { orderNumber, net, taxes } = printed;
  return {
    kind: isCredit ? 'credit_note' : 'invoice',
    number: plain('number', printed.number),
    vendor: plain('vendor', printed.vendor),
    ...(orderNumber === undefined ? {} : { orderNumber: plain('orderNumber', orderNumber) }),
    ...(issuedOn === undefined ? {} : { issuedOn }),
    currency,
    lines: turn ? lines.map(turned) : lines,
    ...(net === undefined ? {} : { net: signed(decimal(net), turn) }),
    ...(taxes.length === 0 ? {} : { tax: signed(sumOfTaxes(taxes.map(decimal)), turn) }),
    total: signed(total, turn),
    source,
  };
}

export function numbersOf({ lines, net, taxes, total }: PrintedInvoice): readonly string[] {
  const ofLines = lines.flatMap(({ quantity, unitPrice, amount }) => [quantity, unitPrice, amount]);
  return [...ofLines, ...(net === undefined ? [] : [net]), ...taxes, total];
}

function sumOfTaxes(taxes: readonly string[]): string {
  const decimals = Math.max(...taxes.map((tax) => tax.split('.')[1]?.length ?? 0));
  return taxes.reduce((sum, tax) => sum.plus(tax), new Big(0)).toFixed(decimals);
}

/** A credit note that prints no signs takes back so many pieces at that price. */
function turned(line: ReadInvoiceLine): ReadInvoiceLine {
  return { ...line, quantity: signed(line.quantity, true), amount: signed(line.amount, true) };
}

function signed(amount: string, turn: boolean): string {
  if (!turn || !/[1-9]/.test(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function plain(what: keyof typeof MAX_CHARS, text: string): string {
  const content = text.normalize('NFC').replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
  if (content === '') throw new ReadFault(`The ${WORDS[what]} is empty.`);
  if ([...content].length > MAX_CHARS[what]) {
    throw new ReadFault(`The ${WORDS[what]} has more than ${String(MAX_CHARS[what])} characters.`);
  }
  if (hasUnseen(content) || (isKey(what) && IGNORABLE.test(content)))
    throw new ReadFault(`The ${WORDS[what]} holds characters that are not seen.`);
  return content;
}

/** No number of an invoice, an order or an article needs one: two that look the same would be two, and the second one paid as well. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

function isKey(what: keyof typeof MAX_CHARS): boolean {
  return what === 'number' || what === 'orderNumber' || what === 'sku';
}

const WORDS: Readonly<Record<keyof typeof MAX_CHARS, string>> = {
  number: 'invoice number',
  orderNumber: 'order number',
  vendor: 'vendor',
  description: 'description of a line',
  sku: 'SKU of a line',
};
