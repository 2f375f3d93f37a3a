/**
 * The public keys of the issuer, fetched when first needed and kept for a while. A key id that is not among them has them
 * fetched anew, once a cooldown, so that a rotated key is found and an invented one costs nothing.
 */
import { createRemoteJWKSet, customFetch, errors, type CryptoKey, type JWTVerifyGetKey } from 'jose';
import { discoverJwksUrl } from './issuer-metadata.ts';

export interface IssuerKeysOptions {
  /** Exactly as the tokens name it. */
  readonly issuer: string;
  /** Where the keys are; taken from the metadata of the issuer when absent. */
  readonly jwksUrl?: URL;
  /** For metadata and keys together. Default 5,000. */
  readonly timeoutMs?: number;
  /** How long after a fetch an unknown key id stays unknown. Default 30,000. */
  readonly cooldownMs?: number;
  /** After this long a withdrawn key is good no more. Default 600,000. */
  readonly maxAgeMs?: number;
  /** How long after a failed fetch no other is tried. Default 2,000. */
  readonly backOffMs?: number;
}

/** The issuer does not hand out its keys at the moment: nothing is said of the token. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** The function throws `IssuerUnavailable`, or what jose throws for a key that the issuer does not have. */
export function createIssuerKeys(options: IssuerKeysOptions): JWTVerifyGetKey<CryptoKey> {
  const { issuer, jwksUrl, backOffMs = 2_000 } = options;
  let noFetchBefore = 0;
  const remote = createRemoteJWKSet(jwksUrl ?? new URL(issuer), {
    timeoutDuration: options.timeoutMs ?? 5_000,
    cooldownDuration: options.cooldownMs ?? 30_000,
    cacheMaxAge: options.maxAgeMs ?? 600_000,
    async [customFetch](_url, init) {
      if (performance.now() < noFetchBefore) throw new BackingOff('The last fetch failed a moment ago.');
      return fetch(jwksUrl ?? (await discoverJwksUrl(issuer, init.signal)), init);
    },
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (isAboutTheToken(error)) throw error;
      // What was refused because of the last failure does not count as another one: the wait would never end.
      if (!(error instanceof BackingOff)) noFetchBefore = performance.now() + backOffMs;
      throw new IssuerUnavailable('The keys of the issuer cannot be fetched.', { cause: error });
    }
  };
}

class BackingOff extends Error {
  override readonly name = 'BackingOff';
}

function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
