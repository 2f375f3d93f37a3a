/** What an order is, in one line for the Temporal UI, which takes 200 bytes. */
import { oneLine } from '../protocol/one-line.ts';

interface Arguments {
  readonly vendor?: string | undefined;
  readonly currency?: string | undefined;
  readonly lines?: readonly { readonly quantity: string; readonly unitPrice: string }[] | undefined;
  readonly document?: { readonly format: string } | undefined;
}

const MAX_VENDOR_CHARS = 40;

export function orderSummary({ document, vendor = '', currency = '', lines = [] }: Arguments): string {
  if (document !== undefined) return `purchase request (${document.format})`;
  const parts = [oneLine(vendor, MAX_VENDOR_CHARS), exactTotal(lines, currency)];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Without a library: the total when no line needs rounding, else nothing. */
function exactTotal(lines: NonNullable<Arguments['lines']>, currency: string): string {
  const decimals = Math.max(0, ...lines.map(({ unitPrice }) => unitPrice.split('.')[1]?.length ?? 0));
  const scaled = (value: string): bigint => {
    const [whole = '0', fraction = ''] = value.split('.');
    return BigInt(whole + fraction.padEnd(4, '0'));
  };
  const total = lines.reduce((sum, line) => sum + scaled(line.quantity) * scaled(line.unitPrice), 0n);
  const digits = total.toString().padStart(9, '0');
  const fraction = digits.slice(-8);
  if (/[1-9]/.test(fraction.slice(decimals))) return '';
  return `${digits.slice(0, -8)}${decimals > 0 ? `.${fraction.slice(0, decimals)}` : ''} ${currency}`;
}
