/**
 * An issuer that signs whatever a test wants: oauth2-mock-server on the loopback, behind a door that counts what is asked
 * of it and can be shut. For tokens as they come out of a real flow see authorization-server.ts.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Service, type Header, type Payload } from 'oauth2-mock-server';
import { atScopeEnd } from './scope.ts';

export interface TokenIssuer {
  /** As its tokens name it. */
  readonly url: string;
  readonly jwksUrl: URL;
  /** Paths that were asked for, the oldest first. */
  readonly asked: string[];
  /** `down`: every answer is 500. `hanging`: there is none. */
  mode: 'up' | 'down' | 'hanging';
  /** Where the metadata is. Default: as OpenID Connect has it. */
  metadataPath: string;
  /** Good for an hour and for `audience` unless `change` has it otherwise. `undefined` takes a claim away. */
  token(change?: TokenChange): Promise<string>;
  /** A further key, which signs from now on; the ones before stay published. */
  addKey(algorithm?: string): Promise<string>;
  /** No key so far is published any longer. */
  withdrawKeys(): void;
  /** The public keys, as published. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

export interface TokenChange {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Of one of its keys. Default: the newest. */
  readonly kid?: string;
}

const OPENID_PATH = '/.well-known/openid-configuration';

export async function startTokenIssuer({
  audience,
  path = '',
}: {
  audience: string;
  path?: string;
}): Promise<TokenIssuer> {
  let issuer = new OAuth2Issuer();
  let service = new OAuth2Service(issuer);
  let newest = '';
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    started.asked.push(url);
    if (started.mode === 'hanging') return;
    if (started.mode === 'down') {
      response.writeHead(500).end();
      return;
    }
    if (url === started.metadataPath) request.url = OPENID_PATH;
    else if (url === OPENID_PATH) request.url = '/moved';
    else if (url.endsWith('/jwks')) request.url = '/jwks';
    service.requestHandler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atScopeEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const url = `${origin}${path}`;
  issuer.url = url;

  const started: TokenIssuer = {
    url,
    jwksUrl: new URL(`${origin}/jwks`),
    asked: [],
    mode: 'up',
    metadataPath: OPENID_PATH,
    token: ({ header = {}, claims = {}, kid = newest } = {}) =>
      issuer.buildToken({
        kid,
        scopesOrTransform(headers: Header, payload: Payload) {
          Object.assign(headers, header);
          Object.assign(payload, { sub: 'ada', aud: audience, scope: 'tasks:read tasks:write', ...claims });
        },
      }),
    async addKey(algorithm = 'ES256') {
      newest = (await issuer.keys.generate(algorithm)).kid;
      return newest;
    },
    withdrawKeys() {
      issuer = new OAuth2Issuer();
      issuer.url = url;
      service = new OAuth2Service(issuer);
    },
    get keys() {
      return issuer.keys.toJSON();
    },
  };
  await started.addKey();
  return started;
}
