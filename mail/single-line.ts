const MAX_CHARS = 200;

/** What people write, where a line end would begin a line of its own: a header of a mail, or words that look like ours. */
export function singleLine(text: string): string {
  const line = text.replace(/[\p{Control}\p{Format}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_CHARS ? line : `${characters.slice(0, MAX_CHARS - 1).join('')}…`;
}
