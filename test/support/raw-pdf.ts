/** PDFs by their objects, for what no library would write. */

export interface RawObject {
  /** Without the stream's length. */
  readonly dictionary: string;
  readonly stream?: Buffer;
}

/** The first object is the catalog. */
export function rawPdf(objects: readonly RawObject[]): Buffer {
  const head = Buffer.from('%PDF-1.7\n');
  const parts: Buffer[] = [head];
  const offsets: number[] = [];
  let length = head.length;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, { dictionary, stream }] of objects.entries()) {
    offsets.push(length);
    const start = `${String(index + 1)} 0 obj\n`;
    if (stream === undefined) add(Buffer.from(`${start}<< ${dictionary} >>\nendobj\n`));
    else {
      add(Buffer.from(`${start}<< ${dictionary} /Length ${String(stream.length)} >>\nstream\n`));
      add(stream);
      add(Buffer.from('\nendstream\nendobj\n'));
    }
  }
  const startxref = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`));
  add(Buffer.from(`trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${String(startxref)}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** One page, or many that show the same, with this content stream. */
export function pdfOfContent(stream: Buffer, { filter = '', pageCount = 1 } = {}): Buffer {
  const page =
    '/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >>';
  const kids = Array.from({ length: pageCount }, (_, index) => `${String(index + 5)} 0 R`).join(' ');
  return rawPdf([
    { dictionary: '/Type /Catalog /Pages 2 0 R' },
    { dictionary: `/Type /Pages /Count ${String(pageCount)} /Kids [${kids}]` },
    { dictionary: filter, stream },
    { dictionary: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding' },
    ...Array.from({ length: pageCount }, () => ({ dictionary: page })),
  ]);
}
