import { seenText } from './seen-text.ts';

/** `text` on one line of at most `maxChars` characters, without any that is not seen or turns around what is seen. */
export function oneLine(text: string, maxChars: number): string {
  const characters = [
    ...seenText(text)
      .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .trim(),
  ];
  return characters.length <= maxChars ? characters.join('') : `${characters.slice(0, maxChars - 1).join('')}…`;
}
