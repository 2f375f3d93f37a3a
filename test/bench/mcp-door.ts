/** A client of one front server over kept connections. By `node:http`, whose own cost is small beside what is measured. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { bodyOf, headersOf, type McpRequest } from '../support/mcp-request.ts';

export interface McpDoor {
  /** The result. @throws for anything else than HTTP 200 with a result */
  send(request: McpRequest): Promise<Readonly<Record<string, unknown>>>;
  /** Whatever comes back. */
  ask(request: McpRequest): Promise<DoorAnswer>;
  close(): void;
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
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  const { hostname, port } = new URL(origin);

  function post(body: string, headers: Readonly<Record<string, string>>): Promise<DoorAnswer> {
    return new Promise((resolve, reject) => {
      const options = { agent, hostname, port, path: '/mcp', method: 'POST', headers };
      const outgoing = httpRequest(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.once('error', reject);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  function ask(request: McpRequest): Promise<DoorAnswer> {
    const body = bodyOf(request);
    return post(body, { ...headersOf(request), 'content-length': String(Buffer.byteLength(body)) });
  }

  return {
    ask,
    async send(request) {
      const { status, text } = await ask(request);
      const { result } = (status === 200 ? JSON.parse(text) : {}) as Answer;
      if (result === undefined) throw new Error(`${request.method} was answered with ${status}: ${text}`);
      return result;
    },
    close: () => agent.destroy(),
  };
}
