/** What an upload is, by its bytes: what it is called and what its sender says of it must agree with them. */
import { UPLOAD_TYPES, type UploadType } from '../../store/uploads.ts';

/** Readers of PDF look for the header in the first kilobyte. */
const PDF_WITHIN = 1_024;
/** Of a local entry, and of a ZIP without entries. */
const ZIP_MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006'];

/** The type that a request declares; `undefined`: none that is taken. */
export function declaredType(contentType: string | undefined): UploadType | undefined {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((part) => !part.startsWith('charset=') || /^charset="?utf-8"?$/.test(part));
  return isUtf8 ? UPLOAD_TYPES.find((known) => known === type) : undefined;
}

/** Why `bytes` are not of this type, for their sender; `undefined` when they are. */
export function contentFault(type: UploadType, bytes: Uint8Array): string | undefined {
  const found = typeOf(bytes);
  if (found === type) return undefined;
  if (found !== undefined) return `The file is not ${type}: its content is ${found}.`;
  if (type === 'text/csv') return 'The file is not text in UTF-8. Save it as CSV in UTF-8 and send it again.';
  return `The file is not ${type}: its content is something else. It may be damaged.`;
}

function typeOf(bytes: Uint8Array): UploadType | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PDF_WITHIN)).toString('latin1');
  if (ZIP_MARKS.some((mark) => start.startsWith(mark))) return 'application/zip';
  if (start.includes('%PDF-')) return 'application/pdf';
  return isUtf8Text(bytes) ? 'text/csv' : undefined;
}

function isUtf8Text(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
