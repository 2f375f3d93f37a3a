/** Dates as invoices write them. What is read in two ways in two countries is read in none. */
import { hasFormat } from '../../protocol/answer-check.ts';

const MONTHS: readonly (readonly string[])[] = [
  ['jan'],
  ['feb'],
  ['mar', 'mär', 'mrz'],
  ['apr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['aug'],
  ['sep'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez'],
];
const MONTHS_OF_A_YEAR = 12;

/** `YYYY-MM-DD`; `undefined` when `text` is no date, or may be two. */
export function readInvoiceDate(text: string): string | undefined {
  const date = text.trim().toLowerCase();
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (y !== undefined) return checked(y, m, d);
  const [, dayG, monthG, yearG] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(date) ?? [];
  if (dayG !== undefined) return checked(yearG, monthG, dayG);
  const [, one = '', two = '', yearS] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date) ?? [];
  if (yearS !== undefined) return slashed(one, two, yearS);
  const [, dayN, nameN = '', yearN] = /^(\d{1,2})\.?\s+([\p{L}]{3,})\.?,?\s+(\d{4})$/u.exec(date) ?? [];
  if (yearN !== undefined) return checked(yearN, monthOf(nameN), dayN);
  const [, nameA = '', dayA, yearA] = /^([\p{L}]{3,})\.?\s+(\d{1,2}),?\s+(\d{4})$/u.exec(date) ?? [];
  return yearA === undefined ? undefined : checked(yearA, monthOf(nameA), dayA);
}

/** Day before month or month before day: told only where one of them cannot be a month, or both are the same. */
function slashed(one: string, two: string, year: string): string | undefined {
  if (Number(one) > MONTHS_OF_A_YEAR) return checked(year, two, one);
  return Number(two) > MONTHS_OF_A_YEAR || one === two ? checked(year, one, two) : undefined;
}

function monthOf(name: string): string | undefined {
  const index = MONTHS.findIndex((starts) => starts.some((start) => name.startsWith(start)));
  return index < 0 ? undefined : String(index + 1);
}

function checked(year = '', month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return hasFormat('date', date) ? date : undefined;
}
