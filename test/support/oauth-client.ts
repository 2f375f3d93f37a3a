/** What the official client asks its host to keep for it; in memory, for one user of one client. */
import type { OAuthClientProvider } from '@modelcontextprotocol/client';

/** Where the browser comes back to; nothing listens there. */
export const REDIRECT_URL = 'http://127.0.0.1:1/callback';

type Kept<Name extends keyof OAuthClientProvider> = Awaited<
  ReturnType<Extract<OAuthClientProvider[Name], (...args: never) => unknown>>
>;

export class OAuthClient implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  /** An https address that the client gives as its id; without one it registers. */
  readonly clientMetadataUrl?: string;
  /** Where the user was last sent to sign in. */
  authorizationUrl: URL | undefined;
  readonly #kept = new Map<string, unknown>();

  constructor(clientMetadataUrl?: string) {
    this.clientMetadataUrl = clientMetadataUrl;
  }

  get clientMetadata(): OAuthClientProvider['clientMetadata'] {
    return {
      client_name: 'A test',
      application_type: 'native',
      redirect_uris: [REDIRECT_URL],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation(): Kept<'clientInformation'> {
    return this.#kept.get('client') as Kept<'clientInformation'>;
  }
  saveClientInformation(information: unknown): void {
    this.#kept.set('client', information);
  }
  tokens(): Kept<'tokens'> {
    return this.#kept.get('tokens') as Kept<'tokens'>;
  }
  saveTokens(tokens: unknown): void {
    this.#kept.set('tokens', tokens);
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }
  codeVerifier(): string {
    return this.#kept.get('verifier') as string;
  }
  saveCodeVerifier(verifier: string): void {
    this.#kept.set('verifier', verifier);
  }
  discoveryState(): Kept<'discoveryState'> {
    return this.#kept.get('discovery') as Kept<'discoveryState'>;
  }
  saveDiscoveryState(state: unknown): void {
    this.#kept.set('discovery', state);
  }
}
