/**
 * Which pages may talk to this port. A browser on this machine runs pages of strangers: their Origin, or after a DNS
 * rebind their Host, gives them away. Spec: streamable-http, Security: an Origin that is not allowed is 403.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { INVALID_REQUEST, refuse, type Refusal } from './refusal.ts';

export interface AllowedPeers {
  /** The address that the server listens on. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const HOSTS = 100;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const MCP_HEADERS =
  'authorization, content-type, accept, idempotency-key, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id';

/** Set on the answer for a page of an allowed origin. */
export type CorsHeaders = Readonly<Record<string, string>>;

export function checkPeer(
  request: IncomingMessage,
  allowed: AllowedPeers,
): { readonly refusal: Refusal } | { readonly cors: CorsHeaders } {
  const hosts = valuesOf(request, 'host');
  if (hosts.length !== 1 || !isAllowedHost(hosts[0] ?? '', allowed)) {
    return { refusal: refuse(403, INVALID_REQUEST, 'This Host is not served here. ALLOWED_HOSTS names further ones.') };
  }
  const origins = valuesOf(request, 'origin');
  if (origins.length === 0) return { cors: {} };
  const origin = origins.length === 1 ? origins[0] : undefined;
  if (origin === undefined || !isAllowedOrigin(origin, allowed)) {
    return { refusal: refuse(403, INVALID_REQUEST, 'This Origin is not allowed. ALLOWED_ORIGINS names further ones.') };
  }
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, www-authenticate, retry-after',
    vary: 'Origin',
  };
  return { cors };
}

export function preflightHeaders(request: IncomingMessage, methods = 'POST'): CorsHeaders {
  const asked = request.headers['access-control-request-headers']?.split(',') ?? [];
  const params = asked.map((name) => name.trim().toLowerCase()).filter((name) => /^mcp-param-[a-z0-9-]+$/.test(name));
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [MCP_HEADERS, ...params].join(', '),
    'access-control-max-age': '600',
  };
}

/** `name`: in lower case. Node joins or drops repeated headers; the raw list has them all. */
export function valuesOf(request: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  const { rawHeaders } = request;
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** A client sends the same one with each request. */
const hostnames = new LRUCache<string, string>({
  max: HOSTS,
  memoMethod: (host) => parse(`http://${host}`)?.hostname ?? '',
});

function isAllowedHost(host: string, allowed: AllowedPeers): boolean {
  const hostname = hostnames.memo(host);
  const own = allowed.host.includes(':') ? `[${allowed.host}]` : allowed.host;
  return hostname !== '' && [...LOOPBACK, own, ...allowed.allowedHosts].includes(hostname);
}

function isAllowedOrigin(origin: string, allowed: AllowedPeers): boolean {
  const url = parse(origin);
  if (url === undefined) return false;
  if (allowed.allowedOrigins.includes(url.origin)) return true;
  return ['http:', 'https:'].includes(url.protocol) && LOOPBACK.includes(url.hostname);
}

/** Only what is nothing but scheme, host and port. */
function parse(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url?.pathname === '/' && url.username === '' && url.search === '' && url.hash === '';
  return isBare ? url : undefined;
}
