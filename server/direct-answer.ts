import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from './caller.ts';
import type { ReadyAnswer } from './ready-answer.ts';

/** A request whose caller is known. */
export interface DirectExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
}

/** `gone`: aborts when nobody waits for the answer any more. */
export type DirectAnswer = (exchange: DirectExchange, gone: () => AbortSignal) => Promise<ReadyAnswer | Response>;
