/**
 * The HTTP door. What names and serves resources of its own comes first; then Host and Origin, the first failure answers; then
 * the path says whose door it is. That of MCP is in mcp-endpoint.ts.
 *
 * Spec: streamable-http, Security.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CODEC_PATH, type CodecEndpoint } from './codec-endpoint.ts';
import { isFilesPath, type FilesDoor } from './files/files-door.ts';
import { checkPeer, type AllowedPeers } from './host-guard.ts';
import type { InboxDoor } from './inbox/inbox.ts';
import { isInboxPath } from './inbox/paths.ts';
import type { Log } from './log.ts';
import { serveMcp, type McpEndpointParts } from './mcp-endpoint.ts';
import { refuse, sendRefusal } from './refusal.ts';
import { serveStatus, type StatusParts } from './status-pages.ts';

export interface HttpParts extends StatusParts, McpEndpointParts {
  /** Absent: nothing is encrypted. */
  readonly codec: CodecEndpoint | undefined;
  /** Absent: people do not decide here. */
  readonly inbox: InboxDoor | undefined;
  /** Absent: nothing is uploaded here. */
  readonly files: FilesDoor | undefined;
  readonly log: Log;
  readonly peers: AllowedPeers;
  /** How long a client may take to send its request. */
  readonly readTimeoutMs: number;
  /** The server stops. */
  readonly draining: AbortSignal;
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
