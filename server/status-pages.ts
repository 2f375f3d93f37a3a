/** What the front tells of itself to whoever watches over it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface StatusParts {
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
}

export async function serveStatus(
  parts: StatusParts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const page = isRead ? await pageOf(parts, path) : { status: 405, text: 'Method not allowed' };
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, { 'content-type': contentType }).end(text);
}

async function pageOf(
  parts: StatusParts,
  path: string,
): Promise<{ status: number; text: string; contentType?: string }> {
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
