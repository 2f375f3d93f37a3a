/**
 * The endpoint of the Streamable HTTP transport. Order, the first failure answers: who asks, method, size and media type,
 * encoding and JSON, shape of the message, repeated headers, `Mcp-Param-*`, scopes, limits of the caller; then the SDK checks
 * headers and envelope.
 *
 * Spec: streamable-http, Sending Messages and Security.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Gate } from './auth/gate.ts';
import { toAuthInfo } from './auth/request-caller.ts';
import { signedInCaller } from './auth/signed-in-caller.ts';
import { signedOutSignal } from './auth/signed-out.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Caller } from './caller.ts';
import type { DirectAnswers } from './direct-answers.ts';
import { sendHeldAnswer } from './held-answer.ts';
import { preflightHeaders, valuesOf } from './host-guard.ts';
import type { LegacyHttp } from './legacy-http.ts';
import type { Limits } from './limits/limits.ts';
import type { ListenDoor } from './listen-http.ts';
import type { Metrics } from './metrics.ts';
import { onceGone } from './once-gone.ts';
import { refuseParamHeaders } from './param-headers.ts';
import { readBody, refuseCutOff } from './read-body.ts';
import { INVALID_REQUEST, refuse, sendRefusal, type Refusal } from './refusal.ts';
import { parseFrame, refuseRepeatedHeaders, type RpcMessage } from './rpc-message.ts';
import type { ToolContracts } from './tool-contract.ts';
import { toWebRequest } from './web-bridge.ts';

export interface McpEndpointParts {
  readonly gate: Gate;
  readonly handler: McpHttpHandler;
  readonly direct: DirectAnswers;
  readonly listening: ListenDoor;
  readonly legacy: LegacyHttp;
  readonly contracts: ToolContracts;
  readonly limits: Limits;
  readonly bodies: BodyBudget;
  readonly metrics: Metrics;
  /** How long a held answer may stay without a byte. */
  readonly keepAliveMs: number;
  /** Told of each request when it begins to arrive: what is on its way when the server stops is waited for. */
  readonly onRequest: (response: ServerResponse) => void;
  /** Told that a request is a subscription, which ends when the server or the client ends it: nothing waits for it. */
  readonly onSubscription: (response: ServerResponse) => void;
}

export async function serveMcp(
  parts: McpEndpointParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, preflightHeaders(request)).end();
    return;
  }
  parts.onRequest(response);
  const startedAt = performance.now();
  const caller = await signedInCaller(parts, request, response);
  if (caller === undefined) return;
  const admitted = await admit(parts, caller, request);
  if ('isGone' in admitted) return;
  if ('message' in admitted) {
    await dispatch(parts, admitted.message, { request, response, caller });
    parts.metrics.observeRequest(admitted.message.method, (performance.now() - startedAt) / 1_000);
  } else if ('response' in admitted) {
    const refusal = await parts.legacy.takeResponse(caller, admitted.response, request.headers);
    if (refusal === undefined) response.writeHead(202).end();
    else sendRefusal(response, refusal);
  } else if (admitted.isCutOff === true) {
    await refuseCutOff(request, response, admitted.refusal);
  } else {
    sendRefusal(response, admitted.refusal);
  }
}

type Admitted =
  | { readonly message: RpcMessage }
  /** To what the server asked. */
  | { readonly response: object }
  /** `isCutOff`: its sender is still sending. */
  | { readonly refusal: Refusal; readonly isCutOff?: true }
  | { readonly isGone: true };

async function admit(parts: McpEndpointParts, caller: Caller, request: IncomingMessage): Promise<Admitted> {
  if (request.method !== 'POST') {
    const headers = { allow: 'POST, OPTIONS' };
    return { refusal: refuse(405, INVALID_REQUEST, 'Send requests as POST.', { headers }) };
  }
  const body = await readBody(request, parts.bodies);
  if (!('text' in body)) return body;
  const parsed = parseFrame(body.text);
  if (!('message' in parsed)) return parsed;
  const { message } = parsed;
  const { contracts } = parts;
  const refusal =
    refuseRepeatedHeaders(request.rawHeaders, message) ??
    refuseParamHeaders(contracts, message, request.headers) ??
    parts.gate.refuseScopes(caller, message, contracts);
  if (refusal !== undefined) return { refusal };
  const [keyHeader] = valuesOf(request, 'idempotency-key');
  const over = await parts.limits.refuse(caller, message, keyHeader);
  if (over === undefined) return { message };
  const { id } = message;
  const headers = { 'retry-after': String(over.retryAfterSeconds) };
  return { refusal: refuse(429, over.code, over.text, { headers, ...(id === undefined ? {} : { id }) }) };
}

/** A request whose caller is known. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
}

async function dispatch(parts: McpEndpointParts, message: RpcMessage, exchange: Exchange): Promise<void> {
  const { request, response, caller } = exchange;
  if (message.method === 'subscriptions/listen') {
    parts.onSubscription(response);
    const signedOut = signedOutSignal({
      caller,
      isStillGood: () => parts.gate.isStillGood(request),
      onceOver: (stop) => onceGone(response, stop),
    });
    if (parts.listening.takes(message, request.headers)) {
      await parts.listening.serve(message, { request, response, caller, signedOut });
      return;
    }
    // The SDK's own streams know no such end: they are cut off.
    signedOut.addEventListener('abort', () => response.end(), { once: true });
  }
  const refusal =
    parts.legacy.refuseSession(caller, message, request.headers) ??
    (await parts.legacy.refuseWait(caller, message, response));
  if (refusal !== undefined) {
    sendRefusal(response, refusal);
    return;
  }
  if (message.method === 'notifications/cancelled') parts.legacy.giveUp(caller, message, request.headers);
  const answering = parts.direct.to(message, exchange) ?? answerBySdk(parts, message, exchange);
  await sendHeldAnswer(answering, response, { keepAliveMs: parts.keepAliveMs, accept: request.headers.accept });
}

async function answerBySdk(
  { handler, legacy }: McpEndpointParts,
  message: RpcMessage,
  { request, response, caller }: Exchange,
): Promise<Response> {
  const webRequest = toWebRequest(request, response, legacy.givenUp(caller, message, response));
  const answer = await handler.fetch(webRequest, { parsedBody: message, authInfo: toAuthInfo(caller) });
  return message.method === 'initialize' ? legacy.completeInitialize(caller, message, answer) : answer;
}
