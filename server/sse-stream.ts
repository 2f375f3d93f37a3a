/** Server-sent events to one client, at its own pace: a client that does not read is cut off, and nothing is kept for it. */
import type { ServerResponse } from 'node:http';
import { onceGone } from './once-gone.ts';

export interface SsePace {
  /** Between two comments that keep proxies from closing a silent connection. */
  readonly keepAliveMs: number;
  /** How long a client may leave unread what was sent. */
  readonly blockedMs: number;
}

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Proxies that buffer answers would keep events back.
  'x-accel-buffering': 'no',
  // The end of the stream is the end of the connection: nobody waits for it to be used again when the server stops.
  connection: 'close',
};

export class SseStream {
  readonly #response: ServerResponse;
  readonly #pace: SsePace;
  readonly #keepAlive: NodeJS.Timeout;
  /** Settled when the client has room for the next message. */
  #turn: Promise<void> = Promise.resolve();

  /** Writes the head. */
  constructor(response: ServerResponse, pace: SsePace) {
    this.#response = response;
    this.#pace = pace;
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#comment('keepalive'), pace.keepAliveMs);
    onceGone(response, () => clearInterval(this.#keepAlive));
  }

  /** Resolves when there is room for the next one, or nobody reads any more. It becomes text no sooner than its turn comes. */
  send(message: object): Promise<void> {
    this.#turn = this.#turn.then(() => this.#write(message));
    return this.#turn;
  }

  /** After what was sent. What waits behind another answer on its connection is not over by that: nothing may follow. */
  async end(): Promise<void> {
    await this.#turn;
    clearInterval(this.#keepAlive);
    this.#response.end();
  }

  async #write(message: object): Promise<void> {
    const response = this.#response;
    if (
      response.destroyed ||
      response.writableEnded ||
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    )
      return;
    await new Promise<void>((resolve) => {
      const tooLong = setTimeout(() => response.destroy(), this.#pace.blockedMs);
      let callOff = (): void => undefined;
      const onRoom = (): void => {
        clearTimeout(tooLong);
        response.off('drain', onRoom);
        callOff();
        resolve();
      };
      response.on('drain', onRoom);
      callOff = onceGone(response, onRoom);
    });
  }

  #comment(text: string): void {
    // Where something waits to be read already, one more line keeps nothing alive.
    if (!this.#response.writableNeedDrain) this.#response.write(`: ${text}\n\n`);
  }
}
