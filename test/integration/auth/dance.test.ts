/**
 * The whole way of the official client to a token, past what we tell it, through a real authorization server, to our
 * verifier. The door here is the smallest that has our answers.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { refuseSignIn } from '../../../server/auth/auth-refusals.ts';
import { createAuthenticate } from '../../../server/auth/authenticate.ts';
import { createJwtVerifier } from '../../../server/auth/jwt-verifier.ts';
import { createProtectedResource } from '../../../server/auth/protected-resource.ts';
import type { Caller } from '../../../server/caller.ts';
import { createLog } from '../../../server/log.ts';
import { principalOf } from '../../../server/principal.ts';
import { sendRefusal } from '../../../server/refusal.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/authorization-server.ts';
import { OAuthClient, REDIRECT_URL } from '../../support/oauth-client.ts';
import { atScopeEnd } from '../../support/scope.ts';

const OTHER = 'https://other.test/mcp';
const DOCUMENT = 'https://client.test/metadata.json';
const key = Buffer.alloc(32, 7);

let mcpUrl: URL;
let authorization: AuthorizationServer;
beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atScopeEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  mcpUrl = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`);
  authorization = await startAuthorizationServer({
    resources: [mcpUrl.href, OTHER],
    claimsOf: (subject) => ({ org: `org of ${subject}` }),
    clientDocuments: { [DOCUMENT]: { ...new OAuthClient().clientMetadata } },
  });
  const { issuer } = authorization;
  const resource = createProtectedResource({ mcpUrl, resource: mcpUrl.href, issuer });
  const authenticate = createAuthenticate({
    verifiers: [createJwtVerifier({ issuer, audience: mcpUrl.href, tenantClaim: 'org' })],
    principalRing: [key],
    log: createLog('silent'),
  });
  server.on('request', (request, response) => {
    void (async () => {
      if (resource.paths.has(request.url ?? '')) {
        response.writeHead(200, resource.headers).end(resource.body);
        return;
      }
      const signIn = await authenticate(request);
      if ('refusal' in signIn) sendRefusal(response, refuseSignIn(signIn.refusal, resource.metadataUrl));
      else response.end(JSON.stringify({ ...signIn.caller, scopes: Array.from(signIn.caller.scopes) }));
    })();
  });
});

function ask(token?: string): Promise<Response> {
  return fetch(mcpUrl, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
}

/** What the official client does when it is told to sign in. */
async function signIn(client: OAuthClient, as: string): Promise<string> {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(await ask());
  const options = { serverUrl: mcpUrl, resourceMetadataUrl, scope };
  await expect(auth(client, options)).resolves.toBe('REDIRECT');
  const { searchParams } = await authorization.approve(client.authorizationUrl!, as);
  const [authorizationCode, iss] = [searchParams.get('code')!, searchParams.get('iss')!];
  await expect(auth(client, { ...options, authorizationCode, iss })).resolves.toBe('AUTHORIZED');
  return client.tokens()!.access_token;
}

async function callerOf(token: string): Promise<Caller> {
  const response = await ask(token);
  expect(response.status).toBe(200);
  return (await response.json()) as Caller;
}

function principalFor(subject: string): string {
  return principalOf(key, { issuer: authorization.issuer, subject, tenant: `org of ${subject}` });
}

describe('the official client', () => {
  it.each([
    ['registers', undefined],
    ['names the document that describes it', DOCUMENT],
  ])('gets in when it %s', async (_how, clientMetadataUrl) => {
    const token = await signIn(new OAuthClient(clientMetadataUrl), 'ada');
    expect(await callerOf(token)).toMatchObject({
      principal: principalFor('ada'),
      scopes: ['tasks:read', 'tasks:write'],
      expiresAt: expect.any(Number),
    });
  });

  it('finds the metadata without being told where it is', async () => {
    const client = new OAuthClient();
    await auth(client, { serverUrl: mcpUrl });
    expect(client.authorizationUrl?.origin).toBe(authorization.issuer);
    expect(client.authorizationUrl?.searchParams.get('resource')).toBe(mcpUrl.href);
  });

  it('is the same caller after a refresh, and with another client', async () => {
    const client = new OAuthClient();
    const first = await signIn(client, 'ada');
    await expect(auth(client, { serverUrl: mcpUrl })).resolves.toBe('AUTHORIZED');
    const refreshed = client.tokens()!.access_token;
    expect(refreshed).not.toBe(first);
    const other = await signIn(new OAuthClient(DOCUMENT), 'ada');
    for (const token of [first, refreshed, other]) {
      expect((await callerOf(token)).principal).toBe(principalFor('ada'));
    }
  });

  it('is another caller for another person', async () => {
    const token = await signIn(new OAuthClient(), 'eve');
    expect((await callerOf(token)).principal).toBe(principalFor('eve'));
  });
});

describe('a token for another resource of the same issuer', () => {
  it('does not get in', async () => {
    const client = new OAuthClient();
    await auth(client, { serverUrl: mcpUrl });
    const url = new URL(client.authorizationUrl!);
    url.searchParams.set('resource', OTHER);
    const { searchParams } = await authorization.approve(url);
    const response = await fetch(`${authorization.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code')!,
        redirect_uri: REDIRECT_URL,
        client_id: client.clientInformation()!.client_id,
        code_verifier: client.codeVerifier(),
        resource: OTHER,
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const refused = await ask(token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(
      'error="invalid_token", error_description="The access token was not issued for this server."',
    );
  });
});

describe('a token in the query string', () => {
  it('is not taken', async () => {
    const token = await signIn(new OAuthClient(), 'ada');
    for (const name of ['access_token', 'token', 'authorization']) {
      const response = await fetch(`${mcpUrl.href}?${name}=${token}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).not.toContain('error=');
    }
  });
});
