/**
 * The requests that come most often, answered without the SDK: its server for one request costs more than reading a task
 * does. It is left whatever is not in order, and whatever it would change on the way to a handler or back; so each answer from
 * here is the one that the SDK would have sent, byte by byte (`docs/decisions`).
 */
import { stoppingAnswer } from './closing-handler.ts';
import type { DirectExchange } from './direct-answer.ts';
import { directCall, type DirectCallParts } from './direct-call.ts';
import { directTasks, type DirectTasksParts } from './direct-tasks.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import type { RpcMessage } from './rpc-message.ts';
import { abortWhenGone } from './web-bridge.ts';

export type DirectParts = DirectTasksParts & DirectCallParts;

export interface DirectAnswers {
  /** `undefined`: for the SDK to answer. */
  to(message: RpcMessage, exchange: DirectExchange): Promise<ReadyAnswer | Response> | undefined;
  /** Whatever is asked, or was and has no answer yet, is told that the server stops. */
  close(): void;
}

export function createDirectAnswers(parts: DirectParts): DirectAnswers {
  const stops = new Set<() => void>();
  let isClosed = false;

  return {
    to(message, exchange) {
      const { headers } = exchange.request;
      const answer = directTasks(parts, message, headers) ?? directCall(parts, message, headers);
      if (answer === undefined) return undefined;
      if (isClosed) return Promise.resolve(stoppingAnswer(message));
      return new Promise((resolve, reject) => {
        let control: AbortController | undefined;
        const stop = (): void => {
          resolve(stoppingAnswer(message));
          control?.abort();
        };
        stops.add(stop);
        answer(exchange, () => (control = abortWhenGone(exchange.response)).signal)
          .then(resolve, reject)
          .finally(() => stops.delete(stop));
      });
    },
    close() {
      isClosed = true;
      for (const stop of stops) stop();
    },
  };
}
