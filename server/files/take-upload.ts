/** One upload, from its headers to the store. Bounded at every moment: in bytes, in number, and by what it is. */
import type { IncomingMessage } from 'node:http';
import { TOO_MANY_FILES } from '../../protocol/extension.ts';
import { UPLOAD_TYPES, type Upload, type Uploads, type UploadType } from '../../store/uploads.ts';
import type { BodyBudget } from '../body-budget.ts';
import { principalsOf, type Caller } from '../caller.ts';
import type { LimitsConfig } from '../limits/config.ts';
import type { Metrics } from '../metrics.ts';
import { collectBody, refuseEncoding, tooManyBodies } from '../read-body.ts';
import { INVALID_REQUEST, refuse, type Refusal } from '../refusal.ts';
import { contentFault, declaredType } from './upload-type.ts';
import { readUploadName } from './upload-name.ts';

export interface TakeUploadParts {
  readonly uploads: Uploads;
  readonly limits: Pick<LimitsConfig, 'uploadBytes' | 'uploads' | 'uploadedBytes'>;
  readonly budget: BodyBudget;
  readonly metrics: Pick<Metrics, 'countRefusal'>;
}

export type TakenUpload =
  | { readonly upload: Upload }
  /** `isCutOff`: its sender is still sending. */
  | { readonly refusal: Refusal; readonly isCutOff?: true }
  | { readonly isGone: true };
export type TakeUpload = (caller: Caller, request: IncomingMessage, query: URLSearchParams) => Promise<TakenUpload>;

/** Uploads of one caller that a front reads at once: fewer than fill its budget. */
const OF_A_CALLER_AT_ONCE = 2;

const NAME_TEXT =
  'Name the file in the query, once: ?name=invoice.pdf, of at most 255 bytes, without folders and control characters.';
const TYPE_TEXT = `Send one of these as Content-Type: ${UPLOAD_TYPES.join(', ')}; text in UTF-8.`;

export function createTakeUpload({ uploads, limits, budget, metrics }: TakeUploadParts): TakeUpload {
  const taking = new Map<string, number>();
  const storing = new Map<string, Promise<unknown>>();

  async function refuseRoom(caller: Caller, bytes: number): Promise<Refusal | undefined> {
    const kept = (await Promise.all(principalsOf(caller).map((principal) => uploads.list(principal)))).flat();
    const keptBytes = kept.reduce((sum, upload) => sum + upload.bytes, 0);
    if (kept.length < limits.uploads && keptBytes + bytes <= limits.uploadedBytes) return undefined;
    metrics.countRefusal('uploads');
    const text =
      `Too many files are kept: ${String(limits.uploads)} of ${String(limits.uploadedBytes)} bytes together may be. ` +
      'Delete one, or wait until one expires.';
    return refuse(429, TOO_MANY_FILES, text);
  }

  /** One after the other of a caller: two that come at once do not both take the last room. */
  async function store(
    caller: Caller,
    file: { name: string; mimeType: UploadType; bytes: Buffer },
  ): Promise<TakenUpload> {
    const { principal } = caller;
    const before = storing.get(principal) ?? Promise.resolve();
    const own = before
      .catch(() => undefined)
      .then(async (): Promise<TakenUpload> => {
        const refusal = await refuseRoom(caller, file.bytes.length);
        return refusal === undefined ? { upload: await uploads.put(principal, file) } : { refusal };
      });
    storing.set(principal, own);
    try {
      return await own;
    } finally {
      if (storing.get(principal) === own) storing.delete(principal);
    }
  }

  async function receive(
    caller: Caller,
    request: IncomingMessage,
    name: string,
    mimeType: UploadType,
  ): Promise<TakenUpload> {
    const declaredBytes = Number(request.headers['content-length'] ?? 0);
    if (declaredBytes > limits.uploadBytes) return { refusal: tooLarge(limits.uploadBytes), isCutOff: true };
    const noRoom = await refuseRoom(caller, declaredBytes);
    if (noRoom !== undefined) return { refusal: noRoom, isCutOff: true };
    const bytes = await collectBody(request, budget.open(), limits.uploadBytes);
    if (bytes === 'gone') return { isGone: true };
    if (bytes === 'too large') return { refusal: tooLarge(limits.uploadBytes), isCutOff: true };
    if (bytes === 'busy') return { refusal: tooManyBodies(), isCutOff: true };
    if (bytes.length === 0) return { refusal: refuse(400, INVALID_REQUEST, 'The file is empty.') };
    const fault = contentFault(mimeType, bytes);
    if (fault !== undefined) return { refusal: refuse(415, INVALID_REQUEST, fault) };
    return store(caller, { name, mimeType, bytes });
  }

  /** Runs `take`, unless as many uploads of the caller are on their way as may be. */
  async function oneOfFew({ principal }: Caller, take: () => Promise<TakenUpload>): Promise<TakenUpload> {
    const count = taking.get(principal) ?? 0;
    if (count >= OF_A_CALLER_AT_ONCE) {
      metrics.countRefusal('uploads');
      return { refusal: tooManyBodies(), isCutOff: true };
    }
    taking.set(principal, count + 1);
    try {
      return await take();
    } finally {
      const left = (taking.get(principal) ?? 1) - 1;
      if (left > 0) taking.set(principal, left);
      else taking.delete(principal);
    }
  }

  return async (caller, request, query) => {
    const name = readUploadName(query);
    if (name === undefined) return { refusal: refuse(400, INVALID_REQUEST, NAME_TEXT), isCutOff: true };
    const encoded = refuseEncoding(request);
    if (encoded !== undefined) return { refusal: encoded, isCutOff: true };
    const mimeType = declaredType(request.headers['content-type']);
    if (mimeType === undefined) return { refusal: refuse(415, INVALID_REQUEST, TYPE_TEXT), isCutOff: true };
    return oneOfFew(caller, () => receive(caller, request, name, mimeType));
  };
}

function tooLarge(maxBytes: number): Refusal {
  const text = `The file is larger than ${String(maxBytes)} bytes.`;
  return refuse(413, INVALID_REQUEST, text, { headers: { connection: 'close' } });
}
