/** Decimal arithmetic for orders: strings in, strings out, never a double. */
import Big from 'big.js';

/** ISO 4217 minor units that are not two. */
const MINOR_UNITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const MAX_WHOLE_DIGITS = 12;

/** How many decimals amounts in `currency` have; `undefined` when there is no such currency. */
export function minorUnitsOf(currency: string): number | undefined {
  const special = Object.entries(MINOR_UNITS).find(([, codes]) => codes.split(' ').includes(currency));
  if (special !== undefined) return Number(special[0]);
  return Intl.supportedValuesOf('currency').includes(currency) ? 2 : undefined;
}

/** What keeps `text` from being a plain decimal, in words that follow its place; `undefined` when nothing does. */
export function decimalFault(text: string, maxDecimals: number): string | undefined {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return shapeFault(text);
  if (whole.length > MAX_WHOLE_DIGITS) return `must have at most ${MAX_WHOLE_DIGITS} digits before the point.`;
  if (decimals.length <= maxDecimals) return undefined;
  return maxDecimals === 0 ? 'must be a whole number.' : `must have at most ${maxDecimals} decimals.`;
}

function shapeFault(text: string): string {
  if (text === '') return 'is empty. Write a number like 12.50.';
  if (text.startsWith('-')) return 'must not be negative.';
  if (/^[\d.]+e[+-]?\d+$/i.test(text)) return 'must be written out, without an exponent.';
  if (/^[\d.,' ]+$/.test(text)) return 'must use a point for decimals and nothing between thousands, like 1234.50.';
  return 'must be a number like 12.50, without currency sign or unit.';
}

export function lineAmount(quantity: string, unitPrice: string, minorUnits: number): string {
  return new Big(quantity).times(unitPrice).toFixed(minorUnits, Big.roundHalfUp);
}
export function sum(amounts: readonly string[], minorUnits: number): string {
  return amounts.reduce((total, amount) => total.plus(amount), new Big(0)).toFixed(minorUnits);
}
/** With as few decimals as it needs. */
export function summed(quantities: readonly string[]): string {
  return quantities.reduce((total, quantity) => total.plus(quantity), new Big(0)).toFixed();
}
export function isEqual(one: string, other: string): boolean {
  return new Big(one).eq(other);
}
export function isAbove(amount: string, limit: string): boolean {
  return new Big(amount).gt(limit);
}
/** The same number with exactly `decimals` decimals, or with as few as it needs. */
export function withDecimals(text: string, decimals?: number): string {
  return new Big(text).toFixed(decimals);
}
