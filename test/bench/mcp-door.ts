/**
 * A client of one front server over kept connections. By the barest way that `undici` has, without a stream for each body, because
 * it is the front that is measured.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { bodyOf, headersOf, type McpRequest } from '../support/mcp-request.ts';

export interface McpDoor {
  /** The result. @throws for anything else than HTTP 200 with a result */
  send(request: McpRequest): Promise<Readonly<Record<string, unknown>>>;
  /** Whatever comes back. */
  ask(request: McpRequest): Promise<DoorAnswer>;
  close(): Promise<void>;
}

export interface DoorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
}

export function createMcpDoor(origin: string, maxConnections: number): McpDoor {
  const pool = new Pool(origin, { connections: maxConnections });

  function ask(request: McpRequest): Promise<DoorAnswer> {
    const sent = { path: '/mcp', method: 'POST', headers: headersOf(request), body: bodyOf(request) } as const;
    return new Promise((resolve, reject) => {
      const answer = { status: 0, headers: {} };
      const pieces: Buffer[] = [];
      pool.dispatch(sent, {
        onRequestStart: () => undefined,
        onResponseStart: (_, status, headers) => void Object.assign(answer, { status, headers }),
        onResponseData: (_, piece) => void pieces.push(piece),
        onResponseEnd: () => resolve({ ...answer, text: Buffer.concat(pieces).toString('utf8') }),
        onResponseError: (_, error) => reject(error),
      });
    });
  }

  return {
    ask,
    async send(request) {
      const { status, text } = await ask(request);
      const { result } = (status === 200 ? JSON.parse(text) : {}) as Answer;
      if (result === undefined) throw new Error(`${request.method} was answered with ${status}: ${text}`);
      return result;
    },
    close: () => pool.destroy(),
  };
}
