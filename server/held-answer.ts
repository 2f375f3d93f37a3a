/**
 * An answer that takes its time. After a while without a byte it becomes an event stream with comments in it, so that no
 * proxy and no client takes the connection for dead (Node's own `fetch` gives up after 300 s). An answer that comes sooner
 * keeps its status and form: an error is still an HTTP error.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { takesEventStream } from './accept-header.ts';
import { isReady, type ReadyAnswer } from './ready-answer.ts';
import { sendWebResponse } from './web-bridge.ts';

export interface HeldAnswerOptions {
  readonly keepAliveMs: number;
  /** The request's header: who takes no event stream waits without one. */
  readonly accept: string | undefined;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export async function sendHeldAnswer(
  answering: Promise<Response | ReadyAnswer>,
  response: ServerResponse,
  { keepAliveMs, accept }: HeldAnswerOptions,
): Promise<void> {
  const keepAlive = (): void => {
    if (response.destroyed || !takesEventStream(accept)) return;
    if (!response.headersSent) response.writeHead(200, STREAM_HEADERS);
    response.write(': keepalive\n\n');
  };
  const timer = setInterval(keepAlive, keepAliveMs);
  let answer: Response | ReadyAnswer;
  try {
    answer = await answering;
  } finally {
    clearInterval(timer);
  }
  await (response.headersSent ? sendAsEvent(answer, response) : sendWebResponse(answer, response));
}

async function sendAsEvent(answer: Response | ReadyAnswer, response: ServerResponse): Promise<void> {
  const isWeb = !isReady(answer);
  if (isWeb && answer.headers.get('content-type')?.startsWith('text/event-stream') === true && answer.body !== null) {
    await pipeline(Readable.fromWeb(answer.body), response).catch(() => {
      // The client left in the middle of the stream; there is nobody to tell.
    });
    return;
  }
  const text = isWeb ? await answer.text() : answer.text;
  response.end(text === '' ? '' : `event: message\ndata: ${text}\n\n`);
}
