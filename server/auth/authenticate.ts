/**
 * From the headers of a request to its caller. Only the `Authorization` header is looked at, and there must be one: a
 * token in a query string ends in logs and histories of others, so none is taken from there.
 *
 * Spec: authorization, Access Token Usage; RFC 6750 section 2.1.
 */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../caller.ts';
import { valuesOf } from '../host-guard.ts';
import { clientAddress } from '../limits/client-address.ts';
import type { Log } from '../log.ts';
import { callerOf, type PrincipalRing } from '../principal.ts';
import type { CredentialFault, CredentialVerifier } from './credential.ts';

export type SignInRefusal =
  /** Nothing to check: no header, or another scheme than Bearer. */
  | { readonly kind: 'missing' | 'malformed' | 'invalid' | 'expired'; readonly text: string }
  | { readonly kind: 'unavailable' | 'throttled'; readonly text: string; readonly retryAfterMs: number };

export type SignIn = { readonly caller: Caller } | { readonly refusal: SignInRefusal };

/** As much of a request as is looked at. */
export type SignInRequest = Pick<IncomingMessage, 'rawHeaders'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/** Slows down who tries out credentials. Never throws: when it cannot tell, it lets everybody through. */
export interface FailedSignIns {
  /** For how long nothing from there is looked at; 0: go on. */
  blockedForMs(address: string): Promise<number>;
  /** A credential that was never good: neither a missing nor an expired one. */
  count(address: string): Promise<void>;
}

export interface AuthenticateParts {
  readonly verifiers: readonly CredentialVerifier[];
  readonly principalRing: PrincipalRing;
  readonly failedSignIns?: FailedSignIns;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Longer than the tokens of issuers that put groups into them; below what Node takes as all headers. */
const MAX_HEADER_CHARS = 8_192;
const BEARER = /^Bearer +(?<token>[A-Za-z0-9._~+/-]+=*)$/i;

const MISSING_TEXT = 'Sign in: send an Authorization header with Bearer and a token.';
const MALFORMED_TEXT = 'Send one Authorization header, with Bearer and one token of at most 8000 characters.';
const INVALID_TEXT = 'The token is not valid here.';
const THROTTLED_TEXT = 'Too many failed attempts to sign in from your address. Wait before the next one.';

export function createAuthenticate(parts: AuthenticateParts): (request: SignInRequest) => Promise<SignIn> {
  const { verifiers, principalRing, failedSignIns, log } = parts;

  async function refuse(fault: CredentialFault, address: string): Promise<SignIn> {
    const { kind, text } = fault;
    if (fault.kind === 'unavailable') {
      log.warn({ err: fault.cause }, 'a credential cannot be checked');
      return { refusal: { kind: fault.kind, text, retryAfterMs: fault.retryAfterMs } };
    }
    log.info({ kind, reason: fault.reason }, 'a credential was refused');
    if (kind === 'invalid') await failedSignIns?.count(address);
    return { refusal: { kind: fault.kind, text } };
  }

  return async (request) => {
    const header = readToken(valuesOf(request, 'authorization'));
    if ('refusal' in header) return header;
    const address = clientAddress(request);
    const blockedForMs = (await failedSignIns?.blockedForMs(address)) ?? 0;
    if (blockedForMs > 0) {
      return { refusal: { kind: 'throttled', text: THROTTLED_TEXT, retryAfterMs: blockedForMs } };
    }
    const { token } = header;
    const verifier = verifiers.find((each) => each.recognizes(token));
    if (verifier === undefined) return refuse({ kind: 'invalid', text: INVALID_TEXT, reason: 'kind' }, address);
    const verdict = await verifier.verify(token);
    if ('fault' in verdict) return refuse(verdict.fault, address);
    const { credential } = verdict;
    return { caller: callerOf(principalRing, credential, credential) };
  };
}

function readToken(headers: readonly string[]): { readonly token: string } | { readonly refusal: SignInRefusal } {
  const [header, ...others] = headers;
  if (header === undefined) return { refusal: { kind: 'missing', text: MISSING_TEXT } };
  // Which of two would count? A proxy before this server may have judged by the other one.
  if (others.length > 0 || header.length > MAX_HEADER_CHARS) {
    return { refusal: { kind: 'malformed', text: MALFORMED_TEXT } };
  }
  if (!/^Bearer\b/i.test(header)) return { refusal: { kind: 'missing', text: MISSING_TEXT } };
  const token = BEARER.exec(header)?.groups?.['token'];
  return token === undefined ? { refusal: { kind: 'malformed', text: MALFORMED_TEXT } } : { token };
}
