/**
 * One HTTP exchange with the ERP, and what is certain about it. A connection of its own for each, opened before the
 * first byte of the request leaves: what fails before that was never sent.
 */
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface ExchangeOptions {
  readonly method: 'GET' | 'POST';
  /** Relative to the ERP's base URL. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Asked when the connection stands, right before the request leaves. */
  readonly maySend?: () => boolean;
}

export type ExchangeOutcome =
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'answer'; readonly answer: Answer };
export interface Answer {
  readonly status: number;
  /** `undefined` when the answer is not JSON. */
  readonly body: unknown;
}

export function exchange(baseUrl: string, options: ExchangeOptions): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    let isSent = false;
    const request = open(baseUrl, options);
    const timer = setTimeout(() => request.destroy(), options.timeoutMs);
    const end = (outcome: ExchangeOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const endWithout = (): void => end({ kind: isSent ? 'no-answer' : 'not-sent' });
    request.once('error', endWithout);
    request.once('close', endWithout);
    request.once('socket', (socket) => {
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        if (options.maySend?.() === false) {
          request.destroy();
          return;
        }
        isSent = true;
        request.end(options.body === undefined ? undefined : JSON.stringify(options.body));
      });
    });
    request.once('response', (response) => {
      readAnswer(response).then((answer) => end({ kind: 'answer', answer }), endWithout);
    });
  });
}

function open(baseUrl: string, { method, path, body, idempotencyKey, signal }: ExchangeOptions): ClientRequest {
  const url = new URL(path, baseUrl);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send(url, {
    method,
    agent: false,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, body: jsonOrNothing(Buffer.concat(chunks).toString('utf8')) };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
