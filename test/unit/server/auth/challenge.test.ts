import { describe, expect, it } from '@jest/globals';
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { wwwAuthenticate } from '../../../../server/auth/challenge.ts';

const resourceMetadataUrl = 'https://host/.well-known/oauth-protected-resource/mcp';

describe('wwwAuthenticate', () => {
  it('names the metadata and the scopes, and no error where none was made', () => {
    expect(wwwAuthenticate({ scopes: ['tasks:read', 'tasks:write'], resourceMetadataUrl })).toBe(
      `Bearer resource_metadata="${resourceMetadataUrl}", scope="tasks:read tasks:write"`,
    );
  });

  it('names the error and describes it', () => {
    const value = wwwAuthenticate({ error: 'invalid_token', description: 'It has expired.', scopes: ['a'] });
    expect(value).toBe('Bearer scope="a", error="invalid_token", error_description="It has expired."');
  });

  it('is the bare scheme when there is nothing to say', () => {
    expect(wwwAuthenticate({ scopes: [] })).toBe('Bearer');
  });

  it('lets no value end its quotes or its line', () => {
    const value = wwwAuthenticate({ error: 'invalid_token', description: 'a "b" \\c\r\nSet-Cookie: d=é', scopes: [] });
    expect(value).toBe(String.raw`Bearer error="invalid_token", error_description="a \"b\" \\c  Set-Cookie: d= "`);
    expect(() => new Headers({ 'www-authenticate': value })).not.toThrow();
  });

  it('is read by the official client', () => {
    const value = wwwAuthenticate({ error: 'insufficient_scope', scopes: ['a', 'b:c'], resourceMetadataUrl });
    const read = extractWWWAuthenticateParams(new Response(null, { headers: { 'www-authenticate': value } }));
    expect(read).toMatchObject({
      resourceMetadataUrl: new URL(resourceMetadataUrl),
      scope: 'a b:c',
      error: 'insufficient_scope',
    });
  });
});
