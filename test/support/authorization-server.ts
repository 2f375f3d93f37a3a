/**
 * A real authorization server on the loopback (oidc-provider) for the whole dance: resource indicators, PKCE, dynamic
 * registration, client id metadata documents. A person is played by `approve`: it opens the page that a client sends its
 * user to, signs in as somebody and agrees to everything.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import type { Configuration, Provider as OidcProvider } from 'oidc-provider';
import { atScopeEnd } from './scope.ts';

export interface AuthorizationServer {
  readonly issuer: string;
  /** Where the browser of `as` is sent back to once it has signed in: code and state are in the query. */
  approve(authorizationUrl: URL, as?: string): Promise<URL>;
}

export interface AuthorizationServerOptions {
  /** The resources that tokens are issued for, by their canonical URIs. */
  readonly resources: readonly string[];
  readonly scopes?: readonly string[];
  /** Default 600. */
  readonly accessTokenSeconds?: number;
  /** Claims that the access tokens of a subject carry beside the usual ones. */
  readonly claimsOf?: (subject: string) => Readonly<Record<string, unknown>>;
  /** What it tells of a subject beside that: in the ID token, or to who asks its user-info endpoint (the default). */
  readonly profileOf?: (subject: string) => Readonly<Record<string, unknown>>;
  readonly profileIn?: 'id token' | 'user info';
  readonly clients?: Configuration['clients'];
  /** What stands at the https addresses that clients give as their ids. */
  readonly clientDocuments?: Readonly<Record<string, object>>;
  /** Default: they may. */
  readonly mayRegister?: boolean;
}

// It warns of its own defaults and of the version of Node.js; a test of ours has nothing to learn from that.
for (const level of ['info', 'warn'] as const) {
  const write = console[level].bind(console);
  console[level] = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider ')) write(...words);
  };
}
const { errors, Provider } = await import('oidc-provider');

const INTERACTION = /^\/interaction\/[\w-]+$/;
const MAX_REDIRECTS = 10;

export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atScopeEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider = new Provider(issuer, await configurationOf(options));
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (INTERACTION.test(request.url ?? '')) void signIn(provider, request, response);
    else void answer(request, response);
  });
  return { issuer, approve: (url, as = 'ada') => visit(url, as, issuer) };
}

async function configurationOf(options: AuthorizationServerOptions): Promise<Configuration> {
  const { resources, scopes = ['tasks:read', 'tasks:write'], clients = [], clientDocuments = {} } = options;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    clients: [...clients],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'signing' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    scopes: ['openid', 'offline_access', ...scopes],
    claims: { openid: ['sub'], profile: ['name', 'groups', 'org'] },
    conformIdTokenClaims: options.profileIn !== 'id token',
    pkce: { required: () => true },
    routes: { registration: '/register' },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    extraTokenClaims: (_ctx, token) => ('accountId' in token ? { ...options.claimsOf?.(token.accountId) } : undefined),
    findAccount: (_ctx, subject) => ({
      accountId: subject,
      claims: async () => ({ ...options.profileOf?.(subject), sub: subject }),
    }),
    // Whoever signs in agrees to all that the client asks for.
    async loadExistingGrant(ctx) {
      const { provider, client, session, params } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      const asked = typeof params?.['scope'] === 'string' ? params['scope'] : '';
      grant.addOIDCScope(asked);
      for (const resource of resources) grant.addResourceScope(resource, asked);
      await grant.save();
      return grant;
    },
    fetch: async (input, init) => documentAt(new Request(input).url, clientDocuments) ?? fetch(input, init),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: options.mayRegister ?? true },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo(_ctx, resource) {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return {
            audience: resource,
            scope: scopes.join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: options.accessTokenSeconds ?? 600,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}

function documentAt(url: string, documents: Readonly<Record<string, object>>): Response | undefined {
  const document = documents[url];
  return document === undefined ? undefined : Response.json({ client_id: url, ...document });
}

async function signIn(provider: OidcProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, prompt } = await provider.interactionDetails(request, response);
  const result = prompt.name === 'login' ? { login: { accountId: String(params['login_hint']) } } : { consent: {} };
  await provider.interactionFinished(request, response, result);
}

/** A browser that follows redirects, as long as they stay with this server, and keeps its cookies. */
async function visit(authorizationUrl: URL, as: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(authorizationUrl);
  url.searchParams.set('login_hint', as);
  for (let count = 0; count < MAX_REDIRECTS && url.origin === issuer; count += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${String(response.status)} ${await response.text()}`);
    url = new URL(location, url);
  }
  if (!url.searchParams.has('code')) throw new Error(`No code came back: ${url.href}`);
  return url;
}
