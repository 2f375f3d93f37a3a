/** A request as the bytes that go out. */

export type Chunks = readonly (string | Uint8Array)[];
export type Header = readonly [name: string, value: string];

export interface Target {
  readonly host: string;
  /** Of the sender. */
  readonly token: string;
  /** Ids of a task of somebody else's. */
  readonly foreignTaskId: string;
}

export function postRequest(
  target: Target,
  body: string | Uint8Array,
  headers: readonly Header[],
  line = 'POST /mcp',
): Chunks {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return [requestHead(target, [...headers, ['content-length', String(bytes.length)]], line), bytes];
}

export function requestHead({ host, token }: Target, headers: readonly Header[], line = 'POST /mcp'): string {
  const own: readonly Header[] = [
    ['host', host],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
    ['authorization', `Bearer ${token}`],
    ['connection', 'close'],
  ];
  // A header of the request itself stands in place of ours, now and then beside it.
  const taken = new Set(headers.map(([name]) => name));
  const lines = [...own.filter(([name]) => !taken.has(name)), ...headers].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
