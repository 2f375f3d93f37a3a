import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { describe, expect, it, jest } from '@jest/globals';
import { isCsrfToken, createSessions, SessionTooLarge, type Session } from '../../../../server/inbox/session.ts';

const subject = { issuer: 'local', subject: 'finance-1', name: 'Finance 1' };
const HOURS_MS = 3_600_000;

/** The cookie that a sign-in sets, and what a session is read as out of a cookie. */
function browser(ring: readonly [Uint8Array, Uint8Array?], isSecure = false, issuer = 'local') {
  const sessions = createSessions(ring, issuer, isSecure);
  const app = new Hono();
  app.get('/start', (context) => {
    sessions.start(context, subject, ['finance']);
    return context.text('');
  });
  app.get('/read', (context) => context.json(sessions.of(context) ?? null));
  return {
    start: async () => (await app.request('/start')).headers.get('set-cookie')!,
    read: async (cookie: string) =>
      (await (await app.request('/read', { headers: { cookie: cookie.split(';')[0]! } })).json()) as Session | null,
  };
}

describe('a session', () => {
  const [key, former] = [randomBytes(32), randomBytes(32)];

  it('is read by every front with the same key, also while that is being replaced, and by no other', async () => {
    const cookie = await browser([former]).start();
    expect(await browser([former]).read(cookie)).toMatchObject({ subject, roles: ['finance'] });
    expect(await browser([key, former]).read(cookie)).toMatchObject({ subject });
    expect(await browser([key]).read(cookie)).toBeNull();
  });

  it('counts only where its issuer is the one that people sign in with', async () => {
    const cookie = await browser([key]).start();
    expect(await browser([key], false, 'https://issuer').read(cookie)).toBeNull();
  });

  it('ends after eight hours, whatever the browser says', async () => {
    const cookie = await browser([key]).start();
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 8 * HOURS_MS + 1);
    try {
      expect(await browser([key]).read(cookie)).toBeNull();
    } finally {
      now.mockRestore();
    }
  });

  it('goes over https only where people come by https', async () => {
    expect(await browser([key], true).start()).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await browser([key]).start()).not.toContain('Secure');
  });

  it('refuses more roles than a cookie holds', () => {
    const app = new Hono();
    let thrown: unknown;
    app.get('/', (context) => {
      try {
        createSessions([key], 'local', false).start(context, subject, ['x'.repeat(4_000)]);
      } catch (error) {
        thrown = error;
      }
      return context.text('');
    });
    return Promise.resolve(app.request('/')).then(() => {
      expect(thrown).toBeInstanceOf(SessionTooLarge);
    });
  });

  it('has one token for its forms', () => {
    const session: Session = { subject, roles: [], csrf: 'right' };
    expect(['right', 'wrong', 'righ', '', undefined].map((shown) => isCsrfToken(session, shown))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
