import { userInfo } from 'node:os';
import type { Caller } from './caller.ts';
import { callerOf, type PrincipalRing, type Subject } from './principal.ts';

/** Who issues names where nobody has to sign in. */
export const LOCAL_ISSUER = 'local';

/** Without sign-in everybody who reaches the loopback is the operating system user that runs the server. */
export function localCaller(...ring: PrincipalRing): Caller {
  return callerOf(ring, localSubject(), { scopes: 'all', roles: [] });
}

export function localSubject(): Subject {
  return { issuer: LOCAL_ISSUER, subject: osUser() };
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id that no password file knows.
    return `uid ${process.getuid?.() ?? 0}`;
  }
}
