/**
 * Task notifications over HTTP. The SDK serves every other `subscriptions/listen`, and refuses those whose headers and
 * envelope are not in order; it would take the `taskIds` out of the filter, so these streams are ours.
 *
 * Order of gates, the first failure answers: Accept, capability, filter, number of open streams, store.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { MISSING_CAPABILITY, TOO_MANY_SUBSCRIPTIONS } from '../protocol/extension.ts';
import { takesEventStream } from './accept-header.ts';
import type { Caller } from './caller.ts';
import { toProtocolError } from './errors.ts';
import { DEFAULT_LIMITS, MAX_STREAMS } from './limits/config.ts';
import { asksForTasks, readListenFilter } from './listen-filter.ts';
import { openSubscription, type ListenParts, type ListenRequest } from './listen.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { onceGone } from './once-gone.ts';
import { INVALID_REQUEST, refuse, sendRefusal } from './refusal.ts';
import { declaredInOrder } from './request-order.ts';
import type { RpcMessage } from './rpc-message.ts';
import { SseStream, type SsePace } from './sse-stream.ts';

export interface ListenLimits extends SsePace {
  /** Open streams of this process. */
  readonly streams: number;
  readonly streamsPerCaller: number;
}

export const LISTEN_LIMITS: ListenLimits = {
  streams: MAX_STREAMS,
  streamsPerCaller: DEFAULT_LIMITS.streams,
  keepAliveMs: 15_000,
  blockedMs: 30_000,
};

export interface ListenDoorParts extends ListenParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: ListenLimits;
}

/** A request whose caller is known. */
export interface ListenExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly signedOut?: AbortSignal | undefined;
}

export interface ListenDoor {
  /** Whether `serve` is the one to answer: the message asks for tasks, and its headers and envelope are in order. */
  takes(message: RpcMessage, headers: IncomingHttpHeaders): boolean;
  /** Resolves when the request is refused or its stream is open. */
  serve(message: RpcMessage, exchange: ListenExchange): Promise<void>;
}

const RETRY_AFTER_SECONDS = 5;

export function createListenDoor(parts: ListenDoorParts): ListenDoor {
  const { log, metrics, limits } = parts;
  const open = new Map<string, number>();

  /** Counts the stream of `response` until that is over. `false`: there are as many as may be. */
  function admit({ principal }: Caller, response: ServerResponse): boolean {
    const own = open.get(principal) ?? 0;
    const all = [...open.values()].reduce((sum, count) => sum + count, 0);
    if (all >= limits.streams || own >= limits.streamsPerCaller) return false;
    open.set(principal, own + 1);
    const uncount = metrics.countStream();
    onceGone(response, () => {
      uncount();
      const left = (open.get(principal) ?? 1) - 1;
      if (left > 0) open.set(principal, left);
      else open.delete(principal);
    });
    return true;
  }

  return {
    takes: (message, headers) =>
      asksForTasks(message.method, message.params) && declaredInOrder(message, headers) !== undefined,
    async serve(message, { request, response, caller, signedOut }) {
      const id = message.id ?? '';
      const gone = new AbortController();
      onceGone(response, () => gone.abort());
      try {
        if (!takesEventStream(request.headers.accept)) {
          sendRefusal(response, { ...NOT_ACCEPTABLE, id });
          return;
        }
        const filter = readListenFilter(message.params);
        if (!admit(caller, response)) {
          metrics.countRefusal('streams');
          sendRefusal(response, { ...TOO_MANY, id });
          return;
        }
        await openStream(parts, { id, caller, filter, signal: gone.signal, signedOut }, response);
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

const NOT_ACCEPTABLE = refuse(
  406,
  INVALID_REQUEST,
  'Task notifications come as a stream: send Accept: text/event-stream.',
);
const TOO_MANY = refuse(
  429,
  TOO_MANY_SUBSCRIPTIONS,
  'Too many subscriptions are open. Close one, list more tasks in one, or poll with tasks/get; then try again.',
  { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
);
