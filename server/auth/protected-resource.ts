/** What clients are told of who issues tokens for this server. Spec: RFC 9728; authorization-server-discovery. */
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { BASE_SCOPES } from './scopes.ts';

export interface ProtectedResource {
  /** For `WWW-Authenticate`. */
  readonly metadataUrl: string;
  /** On which the document is served: beside `/mcp`, at the root, and where a proxy that adds a path passes it through. */
  readonly paths: ReadonlySet<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const NAME = 'Durable MCP Tasks';

export interface ProtectedResourceOptions {
  /** Where clients reach `/mcp`. */
  readonly mcpUrl: URL;
  /** The resource that tokens must be for. */
  readonly resource: string;
  readonly issuer: string;
}

export function createProtectedResource({ mcpUrl, resource, issuer }: ProtectedResourceOptions): ProtectedResource {
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(mcpUrl);
  const document = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: BASE_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: NAME,
  };
  return {
    metadataUrl,
    paths: new Set([WELL_KNOWN, `${WELL_KNOWN}/mcp`, new URL(metadataUrl).pathname]),
    // It is no secret, and a client in a browser reads it before it has anything to show.
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
    body: JSON.stringify(document),
  };
}
