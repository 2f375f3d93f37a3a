import { describe, expect, it } from '@jest/globals';
import { refuseScopes, refuseSignIn } from '../../../../server/auth/auth-refusals.ts';

const url = 'https://host/.well-known/oauth-protected-resource/mcp';
const start = `Bearer resource_metadata="${url}", scope="tasks:read tasks:write"`;

describe('refuseSignIn', () => {
  it('asks whoever sent nothing to sign in, and names no error', () => {
    expect(refuseSignIn({ kind: 'missing', text: 'Sign in.' }, url)).toEqual({
      status: 401,
      code: -32600,
      message: 'Sign in.',
      headers: { 'www-authenticate': start },
    });
  });

  it.each(['invalid', 'expired'] as const)('answers an %s token with 401 invalid_token', (kind) => {
    expect(refuseSignIn({ kind, text: 'No.' }, url)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': `${start}, error="invalid_token", error_description="No."` },
    });
  });

  it('answers a malformed header with 400 invalid_request', () => {
    expect(refuseSignIn({ kind: 'malformed', text: 'No.' }, url)).toMatchObject({
      status: 400,
      headers: { 'www-authenticate': `${start}, error="invalid_request", error_description="No."` },
    });
  });

  it('names no metadata where nobody issues tokens', () => {
    expect(refuseSignIn({ kind: 'missing', text: '' }, undefined).headers).toEqual({
      'www-authenticate': 'Bearer scope="tasks:read tasks:write"',
    });
  });

  it('says when to come back, and does not say that the token is bad', () => {
    const refusal = { text: 'Later.', retryAfterMs: 1_200 };
    expect(refuseSignIn({ kind: 'unavailable', ...refusal }, url)).toEqual({
      status: 503,
      code: -32603,
      message: 'Later.',
      headers: { 'retry-after': '2' },
    });
    expect(refuseSignIn({ kind: 'throttled', ...refusal }, url)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '2' },
    });
  });
});

describe('refuseScopes', () => {
  it('names all scopes of the operation at once', () => {
    expect(refuseScopes(['tasks:write', 'orders:post'], url, 7)).toEqual({
      status: 403,
      code: -32600,
      id: 7,
      message: 'This needs the scope tasks:write and orders:post.',
      headers: {
        'www-authenticate':
          `Bearer resource_metadata="${url}", scope="tasks:write orders:post", error="insufficient_scope", ` +
          'error_description="This needs the scope tasks:write and orders:post."',
      },
    });
  });
});
