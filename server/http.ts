/**
 * The HTTP door. Order, the first failure answers: Host and Origin, path and method, size and media type, encoding and
 * JSON, shape of the message, repeated headers, `Mcp-Param-*`; then the SDK checks headers and envelope.
 *
 * Spec: streamable-http, Sending Messages and Security.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { sendHeldAnswer } from './held-answer.ts';
import { checkPeer, preflightHeaders, type AllowedPeers } from './host-guard.ts';
import type { ListenDoor } from './listen-http.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { refuseParamHeaders } from './param-headers.ts';
import { readBody, refuseOversized } from './read-body.ts';
import type { Readiness } from './readiness.ts';
import { INVALID_REQUEST, refuse, sendRefusal, type Refusal } from './refusal.ts';
import { parseMessage, refuseRepeatedHeaders, type RpcMessage } from './rpc-message.ts';
import type { ToolContracts } from './tool-contract.ts';
import { toWebRequest } from './web-bridge.ts';

export interface HttpParts {
  readonly handler: McpHttpHandler;
  readonly listening: ListenDoor;
  readonly contracts: ToolContracts;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  readonly log: Log;
  readonly peers: AllowedPeers;
  /** How long a client may take to send its request. */
  readonly readTimeoutMs: number;
  /** How long a held answer may stay without a byte. */
  readonly keepAliveMs: number;
  /** Told of each request that is served and will end by itself. */
  readonly onServing: (response: ServerResponse) => void;
}

const INTERNAL_TEXT = 'Internal error. The cause is in the log of this server.';

export function createHttpServer(parts: HttpParts): Server {
  const { readTimeoutMs } = parts;
  const options = {
    requestTimeout: readTimeoutMs,
    headersTimeout: Math.min(readTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(readTimeoutMs, 5_000),
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
  const peer = checkPeer(request, parts.peers);
  if ('refusal' in peer) {
    sendRefusal(response, peer.refusal);
    return;
  }
  for (const [name, value] of Object.entries(peer.cors)) response.setHeader(name, value);
  const [path = '/'] = (request.url ?? '/').split('?');
  if (path === '/mcp') await serveMcp(parts, request, response);
  else await servePage(parts, path, request, response);
}

async function servePage(
  parts: HttpParts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const page = isRead ? await pageOf(parts, path) : { status: 405, text: 'Method not allowed' };
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, { 'content-type': contentType }).end(text);
}

async function pageOf(parts: HttpParts, path: string): Promise<{ status: number; text: string; contentType?: string }> {
  switch (path) {
    case '/healthz':
      return { status: 200, text: 'ok' };
    case '/readyz':
      return parts.readiness();
    case '/metrics':
      return { status: 200, ...(await parts.metrics.expose()) };
    default:
      return { status: 404, text: 'Not found. MCP is served at /mcp' };
  }
}

async function serveMcp(parts: HttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.writeHead(204, preflightHeaders(request)).end();
    return;
  }
  const startedAt = performance.now();
  const admitted = await admit(parts, request);
  if ('isGone' in admitted) return;
  if ('message' in admitted) {
    await dispatch(parts, admitted.message, request, response);
    parts.metrics.observeRequest(admitted.message.method, (performance.now() - startedAt) / 1_000);
  } else if (admitted.refusal.status === 413) {
    await refuseOversized(request, response, admitted.refusal);
  } else {
    sendRefusal(response, admitted.refusal);
  }
}

type Admitted = { readonly message: RpcMessage } | { readonly refusal: Refusal } | { readonly isGone: true };

async function admit(parts: HttpParts, request: IncomingMessage): Promise<Admitted> {
  if (request.method !== 'POST') {
    const headers = { allow: 'POST, OPTIONS' };
    return { refusal: refuse(405, INVALID_REQUEST, 'Send requests as POST.', { headers }) };
  }
  const body = await readBody(request);
  if (!('text' in body)) return body;
  const parsed = parseMessage(body.text);
  if ('refusal' in parsed) return parsed;
  const { message } = parsed;
  const refusal =
    refuseRepeatedHeaders(request.rawHeaders, message) ?? refuseParamHeaders(parts.contracts, message, request.headers);
  return refusal === undefined ? { message } : { refusal };
}

async function dispatch(
  parts: HttpParts,
  message: RpcMessage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (parts.listening.takes(message, request.headers)) {
    await parts.listening.serve(message, request, response);
    return;
  }
  // A subscription ends when the server or the client ends it: nothing waits for it.
  if (message.method !== 'subscriptions/listen') parts.onServing(response);
  const webRequest = toWebRequest(request, response);
  const answering = parts.handler.fetch(webRequest, { parsedBody: message });
  await sendHeldAnswer(answering, response, { keepAliveMs: parts.keepAliveMs, accept: request.headers.accept });
}
