import { parse } from 'csv-parse/sync';

export interface CsvRecordRead {
  readonly record: readonly string[];
  readonly info: { /** Lines of the text up to its end. */ readonly lines: number };
}

interface CsvBounds {
  readonly maxRecordChars: number;
  /** No more than so many are read, the header included. */
  readonly maxRecords: number;
  /** Records of another length than the first one are handed on as well. Default: they are an error. */
  readonly isLengthFree?: boolean;
}

/** The records of a text whose first line tells its separator: semicolon or comma. @throws CsvError */
export function readCsvRecords(text: string, bounds: CsvBounds): readonly CsvRecordRead[] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = firstLine.split(';').length > firstLine.split(',').length ? ';' : ',';
  return parse(text, {
    delimiter,
    info: true,
    relax_column_count: bounds.isLengthFree ?? false,
    skip_empty_lines: true,
    max_record_size: bounds.maxRecordChars,
    to: bounds.maxRecords,
  }) as unknown as readonly CsvRecordRead[];
}
