import { createHmac } from 'node:crypto';

/**
 * What is kept of a secret: an HMAC under the pepper, which is no part of the database, so that a copy of the tables alone
 * proves nothing. A secret has 256 random bits, so that no slow password hash is needed. Compare with `timingSafeEqual`.
 */
export function hashApiKeySecret(pepper: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}
