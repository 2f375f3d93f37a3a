/**
 * `requestState` of a multi round trip: what the server has to know again when the client comes back. Spec: multi round
 * trip, Server Requirements: the state is in an attacker's hands, so it is encrypted, authenticated, bound to the caller and
 * the call, and short-lived.
 *
 * It is not single-use, and need not be: the answers in it are the same caller's own, and a task's keys are used once.
 */
import type { InputReply } from '../protocol/input-reply.ts';
import type { JsonObject } from '../protocol/task.ts';
import { callDigest } from './call-digest.ts';
import type { Caller } from './caller.ts';
import { invalidParams, REQUEST_STATE_TEXT } from './errors.ts';
import type { PrincipalRing } from './principal.ts';
import { createSealing } from './sealing.ts';

export type RequestState =
  /** Questions before a task exists: the usable replies so far, and how many rounds brought a useless one. */
  | { readonly kind: 'asking'; readonly replies: Readonly<Record<string, InputReply>>; readonly uselessRounds: number }
  /** A running task's questions to a caller without the Tasks extension. */
  | { readonly kind: 'task'; readonly taskId: string };

/** The call that a state belongs to; `args` as the caller passed them. */
export interface StatedCall {
  readonly caller: Caller;
  readonly tool: string;
  readonly args: JsonObject;
}

export interface RequestStates {
  seal(call: StatedCall, state: RequestState): string;
  /** @throws ProtocolError, the same for every reason */
  open(call: StatedCall, text: unknown): RequestState;
}

export const REQUEST_STATE_TTL_MS = 15 * 60_000;

export function createRequestStates(ring: PrincipalRing, ttlMs = REQUEST_STATE_TTL_MS): RequestStates {
  const sealing = createSealing(ring, 'requestState');
  return {
    seal: (call, state) => sealing.seal(state, call.caller, Date.now() + ttlMs, callDigest(call)),
    open(call, text) {
      const state =
        typeof text === 'string' ? sealing.open(text, call.caller, Date.now(), callDigest(call)) : undefined;
      if (state === undefined) throw invalidParams(REQUEST_STATE_TEXT);
      return state as RequestState;
    },
  };
}
