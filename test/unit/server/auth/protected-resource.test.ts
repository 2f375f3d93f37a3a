import { describe, expect, it } from '@jest/globals';
import { createProtectedResource } from '../../../../server/auth/protected-resource.ts';

function at(mcpUrl: string): ReturnType<typeof createProtectedResource> {
  return createProtectedResource({ mcpUrl: new URL(mcpUrl), resource: mcpUrl, issuer: 'https://issuer' });
}

describe('createProtectedResource', () => {
  it('says who issues tokens, for what and with which scopes', () => {
    const { body, headers } = at('https://host/mcp');
    expect(JSON.parse(body)).toEqual({
      resource: 'https://host/mcp',
      authorization_servers: ['https://issuer'],
      scopes_supported: ['tasks:read', 'tasks:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Durable MCP Tasks',
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  });

  it('stands beside the endpoint and at the root', () => {
    const { metadataUrl, paths } = at('https://host:8443/mcp');
    expect(metadataUrl).toBe('https://host:8443/.well-known/oauth-protected-resource/mcp');
    expect([...paths].sort()).toEqual([
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]);
  });

  it('is found behind a proxy that adds a path', () => {
    const { metadataUrl, paths } = at('https://host/tools/mcp');
    expect(metadataUrl).toBe('https://host/.well-known/oauth-protected-resource/tools/mcp');
    expect([...paths].sort()).toEqual([
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource/tools/mcp',
    ]);
  });
});
