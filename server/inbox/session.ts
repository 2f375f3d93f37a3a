/** A sign-in, as one sealed cookie: no front keeps it, every front opens it. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PrincipalRing, Subject } from '../principal.ts';
import { createSealing, type Owner } from '../sealing.ts';
import { INBOX_PATH } from './paths.ts';

export interface Session {
  readonly subject: Subject;
  /** That the sign-in brought. */
  readonly roles: readonly string[];
  /** In each form, so that no other page can have sent it. */
  readonly csrf: string;
}

export interface Sessions {
  of(context: Context): Session | undefined;
  /** @throws SessionTooLarge */
  start(context: Context, subject: Subject, roles: readonly string[]): void;
  end(context: Context): void;
}

/** More roles than a cookie holds. */
export class SessionTooLarge extends Error {
  override readonly name = 'SessionTooLarge';
}

const COOKIE = 'inbox_session';
const LIFE_MS = 8 * 3_600_000;
/** Browsers drop a cookie above 4,096 bytes, silently. */
const MAX_COOKIE_CHARS = 3_800;
/** Whose it is stands inside. */
const ANYBODY: Owner = { principal: 'inbox', formerPrincipal: 'inbox' };

/** Of people whom `issuer` names, `local` where nobody has to prove who they are: a sign-in by another one does not count. */
export function createSessions(ring: PrincipalRing, issuer: string, isSecure: boolean): Sessions {
  const sealing = createSealing(ring, 'inbox session');
  const options = { path: INBOX_PATH, httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;
  return {
    of(context) {
      const cookie = getCookie(context, COOKIE);
      if (cookie === undefined) return undefined;
      const session = sealing.open(cookie, ANYBODY, Date.now()) as Session | undefined;
      return session?.subject.issuer === issuer ? session : undefined;
    },
    start(context, subject, roles) {
      const session: Session = { subject, roles, csrf: randomBytes(16).toString('base64url') };
      const cookie = sealing.seal(session, ANYBODY, Date.now() + LIFE_MS);
      if (cookie.length > MAX_COOKIE_CHARS) throw new SessionTooLarge();
      setCookie(context, COOKIE, cookie, { ...options, maxAge: LIFE_MS / 1_000 });
    },
    end: (context) => void deleteCookie(context, COOKIE, options),
  };
}

export function isCsrfToken({ csrf }: Session, shown: string | undefined): boolean {
  const [right, given] = [Buffer.from(csrf), Buffer.from(shown ?? '')];
  return right.length === given.length && timingSafeEqual(right, given);
}
