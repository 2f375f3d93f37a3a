/**
 * The fonts of a PDF: DejaVu for Latin, Greek, Cyrillic and their neighbours, Kosugi for Japanese. A character that
 * neither has is an empty box on paper; the structured result has it all the same.
 */
import { createRequire } from 'node:module';

const { resolve: fontFile } = createRequire(import.meta.url);
export const PLAIN = fontFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
export const BOLD = fontFile('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');
const JAPANESE = fontFile('@fontsource/kosugi/files/kosugi-japanese-400-normal.woff');

/** What DejaVu has no glyphs for and Kosugi has. */
const JAPANESE_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]+/u;

export interface Run {
  readonly text: string;
  /** Absent: whatever font the text is in. */
  readonly font?: string;
}

/** Pieces of `text` that one font can show. An empty text is one empty piece. */
export function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  let rest = text;
  for (let found = JAPANESE_RUN.exec(rest); found !== null; found = JAPANESE_RUN.exec(rest)) {
    if (found.index > 0) runs.push({ text: rest.slice(0, found.index) });
    runs.push({ text: found[0], font: JAPANESE });
    rest = rest.slice(found.index + found[0].length);
  }
  return rest !== '' || runs.length === 0 ? [...runs, { text: rest }] : runs;
}
