/**
 * Task notifications over HTTP. The SDK serves every other `subscriptions/listen`, and refuses those whose headers and
 * envelope are not in order; it would take the `taskIds` out of the filter, so these streams are ours.
 *
 * Order of gates, the first failure answers: Accept, capability, filter, number of open streams, store.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { MISSING_CAPABILITY } from '../protocol/extension.ts';
import { takesEventStream } from './accept-header.ts';
import type { Caller } from './caller.ts';
import { toProtocolError } from './errors.ts';
import { DEFAULT_LIMITS, MAX_STREAMS } from './limits/config.ts';
import { asksForTasks, readListenFilter } from './listen-filter.ts';
import { openSubscription, type ListenParts, type ListenRequest } from './listen.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { onceGone } from './once-gone.ts';
import { TOO_MANY_STREAMS, type OpenStreams, type StreamLimits } from './open-streams.ts';
import { INVALID_REQUEST, refuse, sendRefusal } from './refusal.ts';
import { declaredInOrder } from './request-order.ts';
import type { RpcMessage } from './rpc-message.ts';
import { SseStream, type SsePace } from './sse-stream.ts';

export interface ListenLimits extends SsePace, StreamLimits {}

export const LISTEN_LIMITS: ListenLimits = {
  streams: MAX_STREAMS,
  streamsPerCaller: DEFAULT_LIMITS.streams,
  keepAliveMs: 15_000,
  blockedMs: 30_000,
};

export interface ListenDoorParts extends ListenParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly streams: OpenStreams;
  readonly pace: SsePace;
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

export function createListenDoor(parts: ListenDoorParts): ListenDoor {
  const { log, metrics, streams } = parts;

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
        if (!streams.admit(caller, response)) {
          metrics.countRefusal('streams');
          sendRefusal(response, { ...TOO_MANY_STREAMS, id });
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
  const stream = new SseStream(response, parts.pace);
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
