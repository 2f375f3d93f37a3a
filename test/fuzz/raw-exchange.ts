/** Sends bytes as they are, and reads what comes back until the answer is whole, the connection ends or time is up. */
import { connect } from 'node:net';

export interface RawAnswer {
  /** Absent: the connection was closed without a word, or nothing came in time. */
  readonly status?: number;
  readonly text: string;
  readonly isTimeout: boolean;
}

const ANSWER_WITHIN_MS = 15_000;

export function exchange(port: number, chunks: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (isTimeout: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(toAnswer(received, isTimeout));
    };
    const timer = setTimeout(() => finish(true), ANSWER_WITHIN_MS);
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      received += data;
      if (isWhole(received)) finish(false);
    });
    // A server that refuses early may reset a client that still writes; what it said before counts.
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    for (const chunk of chunks) socket.write(chunk);
  });
}

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [head, body] = [received.slice(0, end), received.slice(end + 4)];
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return body.length >= Number(length);
  // An event stream is answered once its first message has come.
  if (/^content-type: text\/event-stream/im.test(head)) return body.includes('data: ');
  return /^transfer-encoding: chunked/im.test(head) ? body.endsWith('0\r\n\r\n') : true;
}

function toAnswer(received: string, isTimeout: boolean): RawAnswer {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
  return { ...(status === undefined ? {} : { status: Number(status) }), text: received, isTimeout };
}
