/**
 * A process of its own that reads the text of PDFs: what is hostile in them meets a process without secrets, which may be
 * killed at any moment. No worker threads, no code made from text, no network, no fonts and no native code: only text.
 */
import type { PdfAnswer, PdfQuestion, TextPiece } from './pdf-text.ts';
import { MAX_CHARS, MAX_PAGES, MAX_PIECES } from './pdf-text.ts';

/** The library would load a native canvas to draw on, and files by names from the PDF. It draws nothing here. */
Object.assign(process, { getBuiltinModule: undefined });
Object.assign(globalThis, { DOMMatrix: Object, ImageData: Object, Path2D: Object });

const { getDocument, Util } = await import('pdfjs-dist/legacy/build/pdf.mjs');
type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>;

/** More than this from the line is a stamp across the page. */
const MAX_SLOPE = 0.1;

class TooMuch extends Error {
  readonly what: 'pages' | 'text';
  constructor(what: 'pages' | 'text') {
    super(what);
    this.what = what;
  }
}

async function answer({ bytes }: PdfQuestion): Promise<PdfAnswer> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    stopAtErrors: true,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    verbosity: 0,
  });
  try {
    return { pages: await textOf(await loading.promise) };
  } catch (error) {
    if (error instanceof TooMuch) return { problem: error.what };
    return { problem: (error as Error).name === 'PasswordException' ? 'password' : 'damaged' };
  } finally {
    await loading.destroy().catch(() => undefined);
  }
}

async function textOf(document: PdfDocument): Promise<TextPiece[][]> {
  if (document.numPages > MAX_PAGES) throw new TooMuch('pages');
  const pages: TextPiece[][] = [];
  let [pieceCount, charCount] = [0, 0];
  for (let number = 1; number <= document.numPages; number += 1) {
    const pieces = await piecesOf(document, number);
    pieceCount += pieces.length;
    charCount += pieces.reduce((sum, { text }) => sum + text.length, 0);
    if (pieceCount > MAX_PIECES || charCount > MAX_CHARS) throw new TooMuch('text');
    pages.push(pieces);
  }
  return pages;
}

async function piecesOf(document: PdfDocument, number: number): Promise<TextPiece[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  // With it a page that is turned reads from left to right.
  const { transform: turn } = page.getViewport({ scale: 1 });
  const pieces: TextPiece[] = [];
  for (const item of items) {
    if (!('str' in item) || item.str.trim() === '') continue;
    const [a = 0, b = 0, , , left = 0, y = 0] = Util.transform(turn, item.transform as number[]) as number[];
    if (a <= 0 || Math.abs(b) > MAX_SLOPE * a) continue;
    pieces.push({ text: item.str, left, right: left + item.width, y, height: item.height });
  }
  page.cleanup();
  return pieces;
}

process.on('message', (question: PdfQuestion) => {
  void answer(question).then((answered) => process.send?.(answered));
});
process.on('disconnect', () => process.exit());
// The first reading loads most of the library: its time is not the first PDF's.
await answer({ bytes: new TextEncoder().encode('%PDF-') });
process.send?.('ready');
