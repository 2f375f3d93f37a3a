/** What the process that reads PDFs is asked, and what it answers. */

/** A run of text on a page, in points from its upper left corner. */
export interface TextPiece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of the baseline. */
  readonly y: number;
  readonly height: number;
}

/** By page, each in the order in which the file draws it. */
export type PdfText = readonly (readonly TextPiece[])[];

export type PdfProblem = 'password' | 'damaged' | 'pages' | 'text';

export interface PdfQuestion {
  readonly bytes: Uint8Array;
}
export type PdfAnswer = { readonly pages: PdfText } | { readonly problem: PdfProblem };

export const MAX_PAGES = 200;
export const MAX_PIECES = 50_000;
export const MAX_CHARS = 1_000_000;
