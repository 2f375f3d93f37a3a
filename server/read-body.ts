/** The body of a POST as text: limited while it is read, of one media type, in one encoding. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INVALID_REQUEST, PARSE_ERROR, refusalBody, refuse, type Refusal } from './refusal.ts';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** How long the rest of a body that is too large is read and forgotten, so that its sender sees the answer. */
const DISCARD_MS = 2_000;

export type Body = { readonly text: string } | { readonly refusal: Refusal } | { readonly isGone: true };

export async function readBody(request: IncomingMessage): Promise<Body> {
  const refusal = refuseType(request);
  if (refusal !== undefined) return { refusal };
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return { refusal: tooLarge() };
  const bytes = await collect(request);
  if (bytes === 'gone') return { isGone: true };
  if (bytes === 'too large') return { refusal: tooLarge() };
  try {
    // A lenient decoder would put U+FFFD for what it cannot read, and somebody would approve a name nobody sent.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { refusal: refuse(400, PARSE_ERROR, 'Parse error: the body is not valid UTF-8.') };
  }
}

function refuseType(request: IncomingMessage): Refusal | undefined {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    return refuse(415, INVALID_REQUEST, 'Send the body without Content-Encoding.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
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

/** By events: leaving a `for await` early would tear the connection down before the answer is out. */
function collect(request: IncomingMessage): Promise<Buffer | 'too large' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      chunks.length = 0;
      resolve('too large');
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve('gone'));
    request.once('close', () => resolve('gone'));
  });
}

/** Answers at once, then lets the sender finish for a moment: closing under a busy sender would lose the answer. */
export async function refuseOversized(
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
