/** A client of one front server over kept connections. By `undici`, whose own cost is the smallest: it is the front that is measured. */
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

  async function ask(request: McpRequest): Promise<DoorAnswer> {
    const sent = { path: '/mcp', method: 'POST', headers: headersOf(request), body: bodyOf(request) };
    const { statusCode, headers, body } = await pool.request(sent);
    return { status: statusCode, headers, text: await body.text() };
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
