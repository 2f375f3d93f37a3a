/**
 * Task notifications over HTTP. The SDK serves every other `subscriptions/listen`, and refuses those whose headers and
 * envelope are not in order; it would take the `taskIds` out of the filter, so these streams are ours.
 *
 * Order of gates, the first failure answers: Accept, capability, filter, number of open streams, store.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { MISSING_CAPABILITY, PROTOCOL_VERSION, TOO_MANY_SUBSCRIPTIONS } from '../protocol/extension.ts';
import type { Caller } from './caller.ts';
import { toProtocolError } from './errors.ts';
import { asksForTasks, readListenFilter } from './listen-filter.ts';
import { openSubscription, type ListenParts, type ListenRequest } from './listen.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { INVALID_REQUEST, refuse, sendRefusal, type Refusal } from './refusal.ts';
import type { RpcMessage } from './rpc-message.ts';
import { SseStream, type SsePace } from './sse-stream.ts';

export interface ListenLimits extends SsePace {
  /** Open streams of this process. */
  readonly streams: number;
  readonly streamsPerCaller: number;
}

export const LISTEN_LIMITS: ListenLimits = {
  streams: 1_000,
  // As long as nobody signs in, every client of this machine is the same caller.
  streamsPerCaller: 750,
  keepAliveMs: 15_000,
  blockedMs: 30_000,
};

export interface ListenDoorParts extends ListenParts {
  readonly caller: Caller;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: ListenLimits;
}

export interface ListenDoor {
  /** Whether `serve` is the one to answer: the message asks for tasks, and its headers and envelope are in order. */
  takes(message: RpcMessage, headers: IncomingHttpHeaders): boolean;
  /** Resolves when the request is refused or its stream is open. */
  serve(message: RpcMessage, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const RETRY_AFTER_SECONDS = 5;

export function createListenDoor(parts: ListenDoorParts): ListenDoor {
  const { caller, log, metrics, limits } = parts;
  const open = new Map<string, number>();

  /** Counts the stream of `response` until that is over. `false`: there are as many as may be. */
  function admit({ principal }: Caller, response: ServerResponse): boolean {
    const own = open.get(principal) ?? 0;
    const all = [...open.values()].reduce((sum, count) => sum + count, 0);
    if (all >= limits.streams || own >= limits.streamsPerCaller) return false;
    open.set(principal, own + 1);
    const uncount = metrics.countStream();
    response.once('close', () => {
      uncount();
      const left = (open.get(principal) ?? 1) - 1;
      if (left > 0) open.set(principal, left);
      else open.delete(principal);
    });
    return true;
  }

  return {
    takes: (message, headers) => asksForTasks(message.method, message.params) && isInOrder(message, headers),
    async serve(message, request, response) {
      const id = message.id ?? '';
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      try {
        const refusal = refuseAccept(request.headers.accept);
        if (refusal !== undefined) {
          sendRefusal(response, { ...refusal, id });
          return;
        }
        const filter = readListenFilter(message.params);
        if (!admit(caller, response)) {
          sendRefusal(response, { ...TOO_MANY, id });
          return;
        }
        await openStream(parts, { id, caller, filter, signal: gone.signal }, response);
      } catch (error) {
        const { code, message: text, data } = toProtocolError(error, log, message.method);
        const status = code === MISSING_CAPABILITY ? 400 : 200;
        sendRefusal(response, refuse(status, code, text, { id, data }));
      }
    },
  };
}

async function openStream(parts: ListenDoorParts, request: ListenRequest, response: ServerResponse): Promise<void> {
  const subscription = await openSubscription(parts, request);
  if (request.signal.aborted) return;
  const stream = new SseStream(response, parts.limits);
  subscription
    .run((message) => stream.send(message))
    .then(() => stream.end())
    .catch((error: unknown) => {
      parts.log.error({ err: error }, 'a stream of task notifications broke off');
      response.destroy();
    });
}

/** What is not in order is left to the SDK, which says what is wrong in the same words as for any other request. */
function isInOrder(message: RpcMessage, headers: IncomingHttpHeaders): boolean {
  const [version, method] = [headers['mcp-protocol-version'], headers['mcp-method']];
  if (typeof version !== 'string' || typeof method !== 'string') return false;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    body: message,
  });
  return route.kind === 'modern' && route.classification.revision === PROTOCOL_VERSION;
}

/** A client that does not say what it takes, takes anything. RFC 9110, section 12.5.1. */
function refuseAccept(accept = '*/*'): Refusal | undefined {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase());
  const takesEvents = ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return (
      ['text/event-stream', 'text/*', '*/*'].includes(type) && !parameters.some((part) => /^q=0(\.0*)?$/.test(part))
    );
  });
  if (takesEvents) return undefined;
  return refuse(406, INVALID_REQUEST, 'Task notifications come as a stream: send Accept: text/event-stream.');
}

const TOO_MANY = refuse(
  429,
  TOO_MANY_SUBSCRIPTIONS,
  'Too many subscriptions are open. Close one, list more tasks in one, or poll with tasks/get; then try again.',
  { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
);
