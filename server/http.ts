/**
 * The HTTP door. Order, the first failure answers: Host and Origin, path, who asks, method, size and media type, encoding
 * and JSON, shape of the message, repeated headers, `Mcp-Param-*`, scopes, limits of the caller; then the SDK checks headers
 * and envelope.
 *
 * Spec: streamable-http, Sending Messages and Security.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Gate } from './auth/gate.ts';
import { toAuthInfo } from './auth/request-caller.ts';
import { signedOutSignal } from './auth/signed-out.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Caller } from './caller.ts';
import { CODEC_PATH, type CodecEndpoint } from './codec-endpoint.ts';
import type { DirectAnswers } from './direct-answers.ts';
import { isFilesPath, type FilesDoor } from './files/files-door.ts';
import { sendHeldAnswer } from './held-answer.ts';
import { checkPeer, preflightHeaders, valuesOf, type AllowedPeers } from './host-guard.ts';
import type { InboxDoor } from './inbox/inbox.ts';
import { isInboxPath } from './inbox/paths.ts';
import type { LegacyHttp } from './legacy-http.ts';
import type { Limits } from './limits/limits.ts';
import type { ListenDoor } from './listen-http.ts';
import type { Log } from './log.ts';
import { onceGone } from './once-gone.ts';
import { refuseParamHeaders } from './param-headers.ts';
import { readBody, refuseCutOff } from './read-body.ts';
import { INVALID_REQUEST, refuse, sendRefusal, type Refusal } from './refusal.ts';
import { parseFrame, refuseRepeatedHeaders, type RpcMessage } from './rpc-message.ts';
import { signedInCaller } from './auth/signed-in-caller.ts';
import { serveStatus, type StatusParts } from './status-pages.ts';
import type { ToolContracts } from './tool-contract.ts';
import { toWebRequest } from './web-bridge.ts';

export interface HttpParts extends StatusParts {
  readonly gate: Gate;
  readonly handler: McpHttpHandler;
  readonly direct: DirectAnswers;
  readonly listening: ListenDoor;
  readonly legacy: LegacyHttp;
  /** Absent: nothing is encrypted. */
  readonly codec: CodecEndpoint | undefined;
  /** Absent: people do not decide here. */
  readonly inbox: InboxDoor | undefined;
  /** Absent: nothing is uploaded here. */
  readonly files: FilesDoor | undefined;
  readonly contracts: ToolContracts;
  readonly limits: Limits;
  readonly bodies: BodyBudget;
  readonly log: Log;
  readonly peers: AllowedPeers;
  /** How long a client may take to send its request. */
  readonly readTimeoutMs: number;
  /** How long a held answer may stay without a byte. */
  readonly keepAliveMs: number;
  /** Told of each request when it begins to arrive: what is on its way when the server stops is waited for. */
  readonly onRequest: (response: ServerResponse) => void;
  /** The server stops. */
  readonly draining: AbortSignal;
  /** Told that a request is a subscription, which ends when the server or the client ends it: nothing waits for it. */
  readonly onSubscription: (response: ServerResponse) => void;
}

/** Of all header lines of a request. Node's own default, which an option of the process could move. */
const MAX_HEADER_BYTES = 16 * 1024;

const INTERNAL_TEXT = 'Internal error. The cause is in the log of this server.';

export function createHttpServer(parts: HttpParts): Server {
  const { readTimeoutMs } = parts;
  const options = {
    requestTimeout: readTimeoutMs,
    headersTimeout: Math.min(readTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(readTimeoutMs, 5_000),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Longer than the idle time of common proxies, so that they never reuse a connection that is just closing.
    keepAliveTimeout: 65_000,
  };
  return createServer(options, (request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      parts.log.error({ err: error }, 'the door failed');
      if (!response.headersSent) sendRefusal(response, refuse(500, -32603, INTERNAL_TEXT));
      else response.destroy();
    });
  });
}

async function serve(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const { resource } = parts.gate;
  if (resource?.paths.has(path) === true && (request.method === 'GET' || request.method === 'HEAD')) {
    response.writeHead(200, resource.headers).end(resource.body);
    return;
  }
  const peer = checkPeer(request, parts.peers);
  if ('refusal' in peer) {
    sendRefusal(response, peer.refusal);
    return;
  }
  if (parts.codec !== undefined && path.startsWith(CODEC_PATH)) {
    await parts.codec(path, request, response);
    return;
  }
  if (parts.inbox !== undefined && isInboxPath(path)) {
    const { draining, onSubscription } = parts;
    parts.onRequest(response);
    await parts.inbox(request, response, { draining, becomesStream: () => onSubscription(response) });
    return;
  }
  for (const [name, value] of Object.entries(peer.cors)) response.setHeader(name, value);
  if (path === '/mcp') await serveMcp(parts, request, response);
  else if (parts.files !== undefined && isFilesPath(path)) {
    parts.onRequest(response);
    await parts.files(request, response);
  } else await serveStatus(parts, path, request, response);
}

async function serveMcp(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
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

async function admit(parts: HttpParts, caller: Caller, request: IncomingMessage): Promise<Admitted> {
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

async function dispatch(parts: HttpParts, message: RpcMessage, exchange: Exchange): Promise<void> {
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
  { handler, legacy }: HttpParts,
  message: RpcMessage,
  { request, response, caller }: Exchange,
): Promise<Response> {
  const webRequest = toWebRequest(request, response, legacy.givenUp(caller, message, response));
  const answer = await handler.fetch(webRequest, { parsedBody: message, authInfo: toAuthInfo(caller) });
  return message.method === 'initialize' ? legacy.completeInitialize(caller, message, answer) : answer;
}
