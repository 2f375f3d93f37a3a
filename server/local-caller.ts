import { createHmac } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Caller } from './caller.ts';

/** Without sign-in everybody who reaches the loopback is the operating system user that runs the server. */
export function localCaller(principalKey: Uint8Array): Caller {
  return callerOf(principalKey, 'local', osUser());
}

/** 32 hex digits: an HMAC, so that ids and search attributes tell nobody who the subject is. */
export function callerOf(principalKey: Uint8Array, issuer: string, subject: string): Caller {
  const hash = createHmac('sha256', principalKey).update(JSON.stringify(['principal', issuer, subject]));
  return { principal: hash.digest('hex').slice(0, 32) };
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id that no password file knows.
    return `uid ${process.getuid?.() ?? 0}`;
  }
}
