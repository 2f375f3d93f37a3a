/** An exception in words, on one line each: nothing that an invoice says can pass for something else. */
import { oneLine } from '../../protocol/one-line.ts';
import type { MatchedInvoice } from './match-result.ts';

const MAX_DESCRIPTION_CHARS = 60;
const MAX_FINDING_CHARS = 240;

export function nameOfInvoice({ number, vendor, total, currency }: MatchedInvoice): string {
  return `Invoice ${oneLine(number, 40)} of ${oneLine(vendor, 60)} for ${total} ${currency}`;
}

/** Each with the line that it is about. */
export function findingTexts({ findings, lines }: MatchedInvoice): readonly string[] {
  const ofLines = lines.flatMap((line, index) =>
    line.findings.map(({ text }) => `Line ${index + 1} (${oneLine(line.description, MAX_DESCRIPTION_CHARS)}): ${text}`),
  );
  return [...findings.map(({ text }) => text), ...ofLines].map((text) => oneLine(text, MAX_FINDING_CHARS));
}

/** As many of them as have room, and how many there are beside. */
export function boundedTexts(texts: readonly string[], maxChars: number): string {
  const shown: string[] = [];
  let left = maxChars;
  for (const text of texts) {
    left -= text.length + 1;
    if (left < 0) break;
    shown.push(text);
  }
  const more = texts.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`… and ${more} more`])].join('\n');
}
