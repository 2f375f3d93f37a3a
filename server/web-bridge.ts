/** Between Node's request and answer and the web's, which the SDK speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Without a body: it is parsed already and travels beside. The signal aborts when the client goes away. */
export function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  if (response.destroyed) gone.abort();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
}

export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
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
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...headers, ...(body.length > 0 ? { 'content-length': body.length } : {}) });
  response.end(body);
}
