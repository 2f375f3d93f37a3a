import { connect } from 'node:net';
import { patiently } from './patience.js';

const DEADLINE_MS = patiently(10_000);

/** Sends bytes that no HTTP client would send, and returns all that comes back until the connection ends. */
export function rawHttp(origin: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('no end of the answer in time')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.once('end', () => resolve(Buffer.concat(received).toString('utf8')));
    socket.once('error', (error) =>
      received.length > 0 ? resolve(Buffer.concat(received).toString('utf8')) : reject(error),
    );
    for (const part of parts) socket.write(part);
  });
}

/** The text of a POST to `/mcp` with exactly these header lines, besides those that frame the message. */
export function rawPost(origin: string, headerLines: readonly string[], body: string, path = '/mcp'): string {
  const { host } = new URL(origin);
  const lines = headerLines.some((line) => /^host:/i.test(line)) ? headerLines : [`Host: ${host}`, ...headerLines];
  return [
    `POST ${path} HTTP/1.1`,
    ...lines,
    'Connection: close',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    '',
    body,
  ].join('\r\n');
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}
