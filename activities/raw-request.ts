/** A purchase request as it was written, before it is understood: texts, and where each of them stands. */
import { RequestFault } from './request-fault.ts';

export interface RawField {
  readonly text: string;
  /** For error messages: `lines[2].unitPrice`, or `line 4, column unit_price`. */
  readonly place: string;
}

export const ORDER_FIELDS = [
  'vendor',
  'currency',
  'costCentre',
  'category',
  'neededBy',
  'justification',
  'total',
] as const;
export const LINE_FIELDS = ['description', 'sku', 'quantity', 'unitPrice'] as const;
export const MAX_LINES = 1_000;

export type RawOrder = Readonly<Partial<Record<(typeof ORDER_FIELDS)[number], RawField>>>;
export interface RawLine {
  readonly fields: Readonly<Partial<Record<(typeof LINE_FIELDS)[number], RawField>>>;
  readonly place: string;
}
export interface RawRequest {
  readonly order: RawOrder;
  readonly lines: readonly RawLine[];
}

/** @throws RequestFault when `text` is not what a text file in UTF-8 holds */
export function checkedDocument(text: string): string {
  const bad = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd\ufffe\uffff]/.exec(text);
  if (bad !== null) {
    const line = text.slice(0, bad.index).split('\n').length;
    throw new RequestFault(
      `document, line ${line}`,
      'holds characters that no UTF-8 text has. Save the file as UTF-8 and send it again.',
    );
  }
  const content = text.replace(/^\ufeff/, '');
  if (content.trim() === '') throw new RequestFault('document', 'is empty.');
  return content;
}
