import { oneLine } from '../protocol/one-line.ts';

/** What somebody wrote, line by line, without any character that is not seen; at most `maxChars` characters. */
export function manyLines(text: string, maxChars: number): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => oneLine(line, maxChars));
  const characters = [...lines.join('\n').trim()];
  return characters.length <= maxChars ? characters.join('') : `${characters.slice(0, maxChars - 1).join('')}…`;
}
