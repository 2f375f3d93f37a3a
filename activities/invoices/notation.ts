/**
 * How a document writes numbers. `1.234` is a thousand and more in one country and a little above one in another: a document
 * is read by one notation, for which something in it must speak.
 *
 * Accepted are a point or a comma for decimals; between thousands the other of them, a space or an apostrophe; a minus before
 * or behind, or parentheses; a currency's sign or code before or behind.
 */
import { ReadFault } from './read-fault.ts';

export type DecimalSign = '.' | ',';

const CURRENCY = '(?:[A-Z]{3}|[€£¥$]|CHF)';
const NUMBER = new RegExp(
  `^(?<open>\\()?\\s*(?<minus>[-−–])?\\s*(?:${CURRENCY}\\s*)?(?<minus2>[-−–])?\\s*` +
    `(?<digits>\\d[\\d.,'’ \\u00a0\\u202f]*?)\\s*(?<minus3>[-−])?\\s*(?:${CURRENCY})?\\s*(?<close>\\))?$`,
);
const BETWEEN_THOUSANDS = /['’ \u00a0\u202f]/g;
const MAX_DIGITS = 18;

/** The pattern would take for ever over a long run of spaces. */
const MAX_CHARS = 60;

export function isNumber(text: string): boolean {
  return partsOf(text) !== undefined;
}

function partsOf(text: string): Partial<Record<string, string>> | undefined {
  const content = text.trim().replace(/\s{2,}/g, ' ');
  return content.length > MAX_CHARS ? undefined : NUMBER.exec(content)?.groups;
}

/**
 * What decides for all of `texts`, those among them that are numbers. `minorUnits`: of amounts in the document's currency.
 * @throws ReadFault when they contradict each other, or nothing decides
 */
export function decimalSignOf(texts: readonly string[], minorUnits: number): DecimalSign {
  const digits = texts.flatMap((text) => partsOf(text)?.['digits'] ?? []);
  const votes = new Set(digits.map(voteOf));
  const [point, comma] = [votes.has('.'), votes.has(',')];
  if (point && comma) {
    throw new ReadFault('Some numbers have a decimal point and some a decimal comma. Write all of them alike.');
  }
  if (point || comma) return point ? '.' : ',';
  const [unclear] = digits.filter((text) => /[.,]/.test(text));
  if (unclear === undefined) return '.';
  // Where amounts have no decimals, what stands before three digits stands between thousands.
  if (minorUnits === 0) return unclear.includes(',') ? '.' : ',';
  throw new ReadFault(`It cannot be told whether ${unclear} has decimals. Write amounts with two decimals.`);
}

function voteOf(digits: string): DecimalSign | undefined {
  const [last, first] = [digits.search(/[.,](?=[^.,]*$)/), digits.search(/[.,]/)];
  if (last < 0) return undefined;
  const sign = digits[last] as DecimalSign;
  const other = sign === '.' ? ',' : '.';
  if (digits[first] !== sign) return sign;
  // Twice the same stands between thousands.
  if (first !== last) return other;
  return /^\d{1,3}[.,]\d{3}$/.test(digits) ? undefined : sign;
}

/** A decimal string with a point. @throws ReadFault */
export function toDecimal(text: string, sign: DecimalSign): string {
  const { digits, open, close, minus, minus2, minus3 } = partsOf(text) ?? {};
  if (digits === undefined) throw new ReadFault(`"${shown(text)}" is not a number.`);
  const thousands = sign === '.' ? ',' : '.';
  const plain = digits.replace(BETWEEN_THOUSANDS, thousands);
  const [whole = '', decimals, ...more] = plain.split(sign);
  const isGrouped = new RegExp(`^\\d{1,3}(?:\\${thousands}\\d{3})*$`).test(whole) || /^\d+$/.test(whole);
  const hasDecimals = decimals === undefined || /^\d+$/.test(decimals);
  if (!isGrouped || !hasDecimals || more.length > 0 || (open === undefined) !== (close === undefined)) {
    throw new ReadFault(`"${shown(text)}" is not a number. Write it like 1234.50 or 1.234,50.`);
  }
  const number =
    whole.replaceAll(thousands, '').replace(/^0+(?=\d)/, '') + (decimals === undefined ? '' : `.${decimals}`);
  if (number.length > MAX_DIGITS) throw new ReadFault(`"${shown(text)}" has too many digits.`);
  const signs = [open, minus, minus2, minus3].filter((found) => found !== undefined).length;
  return signs % 2 === 1 && /[1-9]/.test(number) ? `-${number}` : number;
}

function shown(text: string): string {
  return text.trim().slice(0, 40);
}
