import { describe, expect, it } from '@jest/globals';
import { isTrustedUrl, metadataPlaces } from '../../../../server/auth/issuer-metadata.ts';

describe('metadataPlaces', () => {
  it.each(['https://issuer', 'https://issuer/'])('are two for %s', (issuer) => {
    expect(metadataPlaces(issuer)).toEqual([
      'https://issuer/.well-known/oauth-authorization-server',
      'https://issuer/.well-known/openid-configuration',
    ]);
  });

  it.each(['https://issuer:8443/realms/a', 'https://issuer:8443/realms/a/'])('are three for %s', (issuer) => {
    expect(metadataPlaces(issuer)).toEqual([
      'https://issuer:8443/.well-known/oauth-authorization-server/realms/a',
      'https://issuer:8443/.well-known/openid-configuration/realms/a',
      'https://issuer:8443/realms/a/.well-known/openid-configuration',
    ]);
  });
});

describe('isTrustedUrl', () => {
  it.each([
    ['https://issuer/jwks', true],
    ['http://127.0.0.1:9000/jwks', true],
    ['http://[::1]:9000/jwks', true],
    ['http://localhost/jwks', true],
    ['http://issuer/jwks', false],
    ['http://127.0.0.1.evil.test/jwks', false],
    ['http://localhost.evil.test/jwks', false],
    ['file:///etc/passwd', false],
    ['data:application/json,{}', false],
  ])('of %s is %p', (url, isTrusted) => {
    expect(isTrustedUrl(new URL(url))).toBe(isTrusted);
  });
});
