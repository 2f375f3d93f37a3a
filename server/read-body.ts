/** The body of a POST as text: limited while it is read, of one media type, in one encoding. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERNAL_ERROR } from '../protocol/extension.ts';
import { SMALL_BODY_BYTES, type BodyBudget, type BodyShare } from './body-budget.ts';
import { INVALID_REQUEST, PARSE_ERROR, refusalBody, refuse, type Refusal } from './refusal.ts';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** How long the rest of a body that is given up is read and forgotten, so that its sender sees the answer. */
const DISCARD_MS = 2_000;
/** A piece takes some 400 bytes beside its own, and its sender may make each of a single byte: so many are made one. */
const MAX_PIECES = 1_024;
/** Other bodies end all the time: the slowest is given up by the time-out for requests. */
const BUSY_RETRY_SECONDS = 2;

/** A lenient decoder would put U+FFFD for what it cannot read, and somebody would approve a name nobody sent. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type Body =
  | { readonly text: string }
  /** `isCutOff`: its sender is still sending; see `refuseCutOff`. */
  | { readonly refusal: Refusal; readonly isCutOff?: true }
  | { readonly isGone: true };

export async function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Body> {
  const refusal = refuseType(request);
  if (refusal !== undefined) return { refusal };
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return { refusal: tooLarge(), isCutOff: true };
  const bytes = await collectBody(request, budget.open(), MAX_BODY_BYTES);
  if (bytes === 'gone') return { isGone: true };
  if (bytes === 'too large') return { refusal: tooLarge(), isCutOff: true };
  if (bytes === 'busy') return { refusal: tooManyBodies(), isCutOff: true };
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { refusal: refuse(400, PARSE_ERROR, 'Parse error: the body is not valid UTF-8.') };
  }
}

/** What is compressed may be of any size once it is not. */
export function refuseEncoding(request: IncomingMessage): Refusal | undefined {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return undefined;
  return refuse(415, INVALID_REQUEST, 'Send the body without Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

function refuseType(request: IncomingMessage): Refusal | undefined {
  const refusal = refuseEncoding(request);
  if (refusal !== undefined) return refusal;
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((part) => !part.startsWith('charset=') || /^charset="?utf-8"?$/.test(part));
  if (type === 'application/json' && isUtf8) return undefined;
  return refuse(415, INVALID_REQUEST, 'Send Content-Type: application/json, in UTF-8.');
}

function tooLarge(): Refusal {
  const message = `The request body is larger than ${MAX_BODY_BYTES} bytes.`;
  return refuse(413, INVALID_REQUEST, message, { headers: { connection: 'close' } });
}

export function tooManyBodies(): Refusal {
  const seconds = String(BUSY_RETRY_SECONDS);
  const message = `The server is reading as many large bodies as it can. Try again in ${seconds} s.`;
  return refuse(503, INTERNAL_ERROR, message, { headers: { connection: 'close', 'retry-after': seconds } });
}

type Collected = Buffer | 'too large' | 'busy' | 'gone';

export async function collectBody(request: IncomingMessage, share: BodyShare, maxBytes: number): Promise<Collected> {
  const { readableLength } = request;
  const hasCome = readableLength > 0 && String(readableLength) === request.headers['content-length'];
  if (!hasCome || request.destroyed || readableLength > Math.min(maxBytes, SMALL_BODY_BYTES)) {
    return collectPieces(request, share, maxBytes);
  }
  // With its headers, and too small to be counted: there is no need to wait for the events of a stream.
  const whole = request.read() as Buffer;
  request.resume();
  return whole;
}

/** By events: leaving a `for await` early would tear the connection down before the answer is out. */
function collectPieces(request: IncomingMessage, share: BodyShare, maxBytes: number): Promise<Collected> {
  return new Promise((resolve) => {
    let blocks: Buffer[] = [];
    let pieces: Buffer[] = [];
    let size = 0;
    const end = (outcome: Collected): void => {
      request.off('data', onData);
      blocks = [];
      pieces = [];
      share.release();
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) end('too large');
      else if (share.growTo(size)) keep(chunk);
      else end('busy');
    };
    const keep = (chunk: Buffer): void => {
      pieces.push(chunk);
      if (pieces.length < MAX_PIECES) return;
      blocks.push(Buffer.concat(pieces));
      pieces = [];
    };
    request.on('data', onData);
    request.once('end', () => end(Buffer.concat([...blocks, ...pieces])));
    request.once('error', () => end('gone'));
    request.once('close', () => end('gone'));
  });
}

/** Answers at once, then lets the sender finish for a moment: closing under a busy sender would lose the answer. */
export async function refuseCutOff(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): Promise<void> {
  const body = refusalBody(refusal);
  response.writeHead(refusal.status, {
    ...refusal.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DISCARD_MS);
    const onEnd = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', onEnd);
    request.once('close', onEnd);
    request.resume();
  });
  response.end();
}
