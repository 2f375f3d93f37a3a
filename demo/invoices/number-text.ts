/** How numbers and dates are written where an invoice comes from. */

export interface Notation {
  readonly decimal: '.' | ',';
  readonly thousands: string;
}

export const ENGLISH: Notation = { decimal: '.', thousands: ',' };
export const GERMAN: Notation = { decimal: ',', thousands: '.' };
export const SWISS: Notation = { decimal: '.', thousands: '’' };
export const FRENCH: Notation = { decimal: ',', thousands: ' ' };

/** Of a decimal string with a point, with as many decimals. */
export function numberText(amount: string, { decimal, thousands }: Notation): string {
  const [whole = '', decimals] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${amount.startsWith('-') ? '-' : ''}${grouped}${decimals === undefined ? '' : decimal + decimals}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

export const dateText = {
  iso: (date: string): string => date,
  english(date: string): string {
    const [year = '', month, day] = date.split('-');
    return `${String(Number(day))} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
  },
  american(date: string): string {
    const [year = '', month, day] = date.split('-');
    return `${MONTHS[Number(month) - 1] ?? ''} ${String(Number(day))}, ${year}`;
  },
  german: (date: string): string => date.split('-').reverse().join('.'),
} as const;
