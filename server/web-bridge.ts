/** Between Node's request and answer and the web's, which the SDK speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onceGone } from './once-gone.ts';
import { isReady, type ReadyAnswer } from './ready-answer.ts';

/**
 * Without a body: it is parsed already and travels beside. The signal aborts when the client goes away.
 *
 * @param givenUp the client may say so as well
 */
export function toWebRequest(request: IncomingMessage, response: ServerResponse, givenUp?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const gone = abortWhenGone(response).signal;
  const signal = givenUp === undefined ? gone : AbortSignal.any([gone, givenUp]);
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal });
}

/** Aborts when the client goes away before its answer is written. */
export function abortWhenGone(response: ServerResponse): AbortController {
  const gone = new AbortController();
  onceGone(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}

export async function sendWebResponse(answer: Response | ReadyAnswer, response: ServerResponse): Promise<void> {
  if (isReady(answer)) {
    if (!response.destroyed) sendReady(answer, response);
    return;
  }
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(answer.headers);
  // Whether the connection is kept is for the door to say, which knows when the server stops.
  delete headers['connection'];
  if (headers['content-type']?.startsWith('text/event-stream') === true && answer.body !== null) {
    response.writeHead(answer.status, headers);
    response.flushHeaders();
    await pipeline(Readable.fromWeb(answer.body), response).catch(() => {
      // The client left in the middle of the stream; there is nobody to tell.
    });
    return;
  }
  sendReady({ status: answer.status, headers, text: await answer.text() }, response);
}

/** As text: Node writes it with the headers in one piece. */
function sendReady({ status, headers, text }: ReadyAnswer, response: ServerResponse): void {
  response.writeHead(status, text === '' ? headers : { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
