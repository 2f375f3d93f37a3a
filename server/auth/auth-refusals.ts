/** What the door answers to whom it does not let in, or not that far. Spec: authorization, Error Handling. */
import { INTERNAL_ERROR } from '../../protocol/extension.ts';
import { INVALID_REQUEST, refuse, type Refusal } from '../refusal.ts';
import type { SignInRefusal } from './authenticate.ts';
import { wwwAuthenticate, type Challenge } from './challenge.ts';
import { BASE_SCOPES } from './scopes.ts';

/** `ProtectedResource.metadataUrl`; `undefined` where only API keys are taken. */
type MetadataUrl = string | undefined;

/** Nobody has read the message yet, so the challenge names what a client needs for the whole way. */
export function refuseSignIn(refusal: SignInRefusal, resourceMetadataUrl: MetadataUrl): Refusal {
  const { kind, text } = refusal;
  const challenged = (status: number, more: Partial<Challenge>): Refusal => {
    const value = wwwAuthenticate({ scopes: BASE_SCOPES, resourceMetadataUrl, ...more });
    return refuse(status, INVALID_REQUEST, text, { headers: { 'www-authenticate': value } });
  };
  switch (kind) {
    case 'missing':
      // RFC 6750, 3.1: who sent nothing made no mistake that could be named.
      return challenged(401, {});
    case 'malformed':
      return challenged(400, { error: 'invalid_request', description: text });
    case 'invalid':
    case 'expired':
      return challenged(401, { error: 'invalid_token', description: text });
    case 'throttled':
      return refuse(429, INVALID_REQUEST, text, { headers: retryAfter(refusal) });
    case 'unavailable':
      return refuse(503, INTERNAL_ERROR, text, { headers: retryAfter(refusal) });
  }
}

export function scopesText(required: readonly string[]): string {
  return `This needs the scope ${required.join(' and ')}.`;
}

/** Names all scopes of the operation, also those that are granted: a client asks once for the lot. */
export function refuseScopes(
  required: readonly string[],
  resourceMetadataUrl: MetadataUrl,
  id?: string | number,
): Refusal {
  const text = scopesText(required);
  const value = wwwAuthenticate({
    error: 'insufficient_scope',
    description: text,
    scopes: required,
    resourceMetadataUrl,
  });
  return refuse(403, INVALID_REQUEST, text, {
    headers: { 'www-authenticate': value },
    ...(id === undefined ? {} : { id }),
  });
}

function retryAfter({ retryAfterMs }: { readonly retryAfterMs: number }): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) };
}
