/**
 * The lines of a client, one JSON-RPC message each. A line that is none is answered at once and goes no further: the same
 * gates as for a body over HTTP. Spec: transports, stdio.
 */
import { Transform } from 'node:stream';
import { MAX_BODY_BYTES } from './read-body.ts';
import { INVALID_REQUEST, PARSE_ERROR, refuse, type Refusal } from './refusal.ts';
import { parseFrame } from './rpc-message.ts';

const NEWLINE = 10;

export interface LineGuardOptions {
  readonly onRefusal: (refusal: Refusal) => void;
  /** Resolves when the client has room for an answer: until then no more is taken of what it sends. */
  readonly room: () => Promise<void>;
}

export function createLineGuard({ onRefusal, room }: LineGuardOptions): Transform {
  let kept: Buffer[] = [];
  let keptBytes = 0;

  function take(line: Buffer): string | undefined {
    const checked = keptBytes > MAX_BODY_BYTES ? tooLong() : checkLine(Buffer.concat([...kept, line]));
    kept = [];
    keptBytes = 0;
    if (checked === undefined || typeof checked === 'string') return checked;
    onRefusal(checked);
    return undefined;
  }

  /** What is already too long is only counted. */
  function keep(rest: Buffer): void {
    keptBytes += rest.length;
    if (keptBytes <= MAX_BODY_BYTES) kept.push(rest);
    else kept = [];
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        keptBytes += end - start;
        const line = take(chunk.subarray(start, end));
        if (line !== undefined) this.push(`${line}\n`);
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      void room().then(() => done());
    },
  });
}

/** The message, written anew; `undefined` for an empty line. */
function checkLine(bytes: Buffer): string | Refusal | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return refuse(400, PARSE_ERROR, 'Parse error: the line is not valid UTF-8.');
  }
  if (text === '') return undefined;
  const frame = parseFrame(text);
  if ('refusal' in frame) return frame.refusal;
  return JSON.stringify('message' in frame ? frame.message : frame.response);
}

function tooLong(): Refusal {
  const limit = String(MAX_BODY_BYTES / 1024 / 1024);
  return refuse(413, INVALID_REQUEST, `The line is longer than ${limit} MiB.`);
}
