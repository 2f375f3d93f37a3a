/**
 * A cell of a CSV that people open in a spreadsheet. Texts come from outside: what a spreadsheet would take for a formula is
 * made plain text by an apostrophe before it, and quoted. A number stays one, its minus included.
 */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r＝＋－＠]/u;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Where a cell would begin for a spreadsheet of a country that has semicolons between cells, and for which our quotes count less. */
const FORMULA_INSIDE = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/gu;

export function csvCell(text: string): string {
  const safe = (FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text).replace(FORMULA_INSIDE, "$&'");
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With the line break that ends it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
