/** The issuer at which people sign in, as a client of it: code flow with PKCE. */
import * as client from 'openid-client';
import type { OidcConfig } from './config.ts';
import { CALLBACK_PATH } from './paths.ts';

/** What one sign-in has to remember until the issuer sends the person back. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcIssuer {
  readonly name: string;
  /** Where the browser goes. @throws IssuerAway */
  begin(): Promise<{ readonly address: URL; readonly checks: SignInChecks }>;
  /** `query` is what the issuer sent the browser back with. @throws IssuerAway, SignInRefused */
  end(query: string, checks: SignInChecks): Promise<Readonly<Record<string, unknown>>>;
}

/** It does not answer, or not as an issuer does. The cause is for the log. */
export class IssuerAway extends Error {
  override readonly name = 'IssuerAway';
}

/** The issuer, or a check of what it said, says no. The cause is for the log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

const TIMEOUT_SECONDS = 10;

export function createOidcIssuer(config: OidcConfig): OidcIssuer {
  const callback = new URL(CALLBACK_PATH, config.url);
  let found: Promise<client.Configuration> | undefined;
  // An issuer that was away is looked for again by the next one who signs in.
  const find = (): Promise<client.Configuration> =>
    (found ??= discover(config).catch((cause: unknown) => {
      found = undefined;
      throw new IssuerAway('The issuer cannot be found.', { cause });
    }));
  return {
    name: new URL(config.issuer).host,
    async begin() {
      const issuer = await find();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const address = client.buildAuthorizationUrl(issuer, {
        redirect_uri: callback.href,
        scope: scopeOf(issuer, config),
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { address, checks };
    },
    async end(query, { state, nonce, verifier }) {
      const issuer = await find();
      const expected = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      try {
        const answer = await client.authorizationCodeGrant(issuer, new URL(query, callback), expected);
        return await claimsOf(issuer, answer, config);
      } catch (cause) {
        throw new SignInRefused('The sign-in did not succeed.', { cause });
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<client.Configuration> {
  const url = new URL(issuer);
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
  return client.discovery(url, clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // oxlint-disable-next-line typescript/no-deprecated -- for the loopback: the configuration takes no other http
    ...(url.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {}),
  });
}

/** Some issuers want to be asked for the roles by a scope of their name. */
function scopeOf(issuer: client.Configuration, { rolesClaim }: OidcConfig): string {
  const supported = issuer.serverMetadata().scopes_supported ?? [];
  return ['openid', ...['profile', rolesClaim].filter((scope) => supported.includes(scope))].join(' ');
}

/** Those of the ID token; what it leaves out, the issuer may tell at its user-info endpoint. */
async function claimsOf(
  issuer: client.Configuration,
  answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  { rolesClaim, tenantClaim }: OidcConfig,
): Promise<Readonly<Record<string, unknown>>> {
  const claims = answer.claims();
  if (claims === undefined) throw new Error('The issuer sent no ID token.');
  const wanted = ['name', rolesClaim, ...(tenantClaim === undefined ? [] : [tenantClaim])];
  const isWhole = wanted.every((name) => claims[name] !== undefined);
  if (isWhole || issuer.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(issuer, answer.access_token, claims.sub)), ...claims };
}
