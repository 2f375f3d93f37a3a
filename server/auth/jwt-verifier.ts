/**
 * Access tokens that are JWTs of one issuer. Order: signature, issuer, times, audience, what the token says.
 *
 * Spec: authorization, Token Handling; RFC 9068 section 4; RFC 8725.
 */
import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { Credential, CredentialVerifier, Verdict } from './credential.ts';
import { createIssuerKeys, IssuerUnavailable, type IssuerKeysOptions } from './issuer-keys.ts';
import { isSameResource } from './resource-uri.ts';
import { rolesIn } from './roles-claim.ts';

/** How far clocks may be apart: a token is taken this long after its `exp` and before its `nbf`. */
export const CLOCK_SKEW_MS = 60_000;

/** Signatures of a key that only the issuer has. With a shared secret, or none, whoever checks a token could make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Many issuers do not say that it is an access token; what says that it is something else is refused. RFC 9068, 2.1. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];

const RETRY_AFTER_MS = 5_000;
const UNAVAILABLE_TEXT =
  'The access token cannot be checked at the moment: its issuer does not answer. Try again in a few seconds.';
const EXPIRED_TEXT = 'The access token has expired.';
const INVALID_TEXT = 'The access token is not valid here.';
const AUDIENCE_TEXT = 'The access token was not issued for this server.';

export interface JwtVerifierOptions extends IssuerKeysOptions {
  /** Our canonical resource URI, such as `https://host/mcp`; compared as `isSameResource` says. */
  readonly audience: string;
  /** The claim that names the tenant. Where it is set, a token without it is refused. */
  readonly tenantClaim?: string;
  /** The claim that holds the roles of a person. Absent: nobody decides here. */
  readonly rolesClaim?: string | undefined;
}

export function createJwtVerifier(options: JwtVerifierOptions): CredentialVerifier {
  const keys = createIssuerKeys(options);
  const rules = {
    algorithms: ALGORITHMS,
    issuer: options.issuer,
    requiredClaims: ['sub', 'aud', 'exp'],
    clockTolerance: CLOCK_SKEW_MS / 1_000,
  };
  return {
    recognizes: (token) => token.split('.').length === 3,
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, rules);
        return read(payload, protectedHeader, options);
      } catch (error) {
        return faultOf(error);
      }
    },
  };
}

function read(payload: JWTPayload, header: JWTHeaderParameters, options: JwtVerifierOptions): Verdict {
  if (header.typ !== undefined && !TYPES.includes(header.typ.toLowerCase())) return invalid('typ');
  const audiences: readonly unknown[] = [payload.aud].flat();
  if (!audiences.some((each) => typeof each === 'string' && isSameResource(each, options.audience))) {
    return invalid('aud', AUDIENCE_TEXT);
  }
  const { sub: subject, exp = 0 } = payload;
  if (typeof subject !== 'string' || subject === '') return invalid('sub');
  const credential: Credential = {
    issuer: options.issuer,
    subject,
    scopes: scopesOf(payload),
    expiresAt: Math.min(exp * 1_000 + CLOCK_SKEW_MS, Number.MAX_SAFE_INTEGER),
    ...(options.rolesClaim === undefined ? {} : { roles: rolesIn(payload[options.rolesClaim]) }),
  };
  if (options.tenantClaim === undefined) return { credential };
  const tenant = payload[options.tenantClaim];
  if (typeof tenant !== 'string' || tenant === '') return invalid('tenant');
  return { credential: { ...credential, tenant } };
}

/** `scope` as one text (RFC 9068); some issuers write `scp`, as a list or a text. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const written: readonly unknown[] = [scope ?? scp].flat();
  const texts = written.filter((each) => typeof each === 'string');
  return new Set(texts.flatMap((text) => text.split(' ')).filter((each) => each !== ''));
}

function faultOf(error: unknown): Verdict {
  if (error instanceof IssuerUnavailable) {
    return { fault: { kind: 'unavailable', text: UNAVAILABLE_TEXT, retryAfterMs: RETRY_AFTER_MS, cause: error } };
  }
  if (error instanceof errors.JWTExpired) return { fault: { kind: 'expired', text: EXPIRED_TEXT, reason: 'exp' } };
  // The error itself stays here: some of them carry the claims of the token.
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud' ? invalid('aud', AUDIENCE_TEXT) : invalid(error.claim);
  }
  return invalid(error instanceof errors.JOSEError ? error.code : 'unreadable');
}

function invalid(reason: string, text = INVALID_TEXT): Verdict {
  return { fault: { kind: 'invalid', text, reason } };
}
