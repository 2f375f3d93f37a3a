/** People sign in where access tokens come from, so that somebody is the same principal here and over MCP. */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { rolesIn } from '../auth/roles-claim.ts';
import type { Subject } from '../principal.ts';
import { createSealing, type Owner } from '../sealing.ts';
import { answerPage, answerRefused } from './answer-page.ts';
import type { OidcConfig } from './config.ts';
import { createOidcIssuer, IssuerAway, SignInRefused, type SignInChecks } from './oidc-issuer.ts';
import type { InboxEnv } from './inbox-env.ts';
import { returnPath, SIGN_IN_PATH } from './paths.ts';
import { SessionTooLarge } from './session.ts';
import type { SignInPages } from './sign-in.ts';

const COOKIE = 'inbox_sign_in';
/** A person types a password and confirms it on a phone. */
const LIFE_MS = 10 * 60_000;
const ANYBODY: Owner = { principal: 'inbox', formerPrincipal: 'inbox' };

interface BegunSignIn {
  readonly checks: SignInChecks;
  readonly to: string;
}

export function oidcSignIn(config: OidcConfig): SignInPages {
  const issuer = createOidcIssuer(config);
  return (app, { principalRing, isSecure, log }, sessions) => {
    const sealing = createSealing(principalRing, 'inbox sign-in');
    // `Lax`: the issuer's page sends the browser back here.
    const cookie = { path: SIGN_IN_PATH, httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;

    app.get('/sign-in', (context) => {
      const query = new URLSearchParams({ to: returnPath(context.req.query('to')) });
      const content = html`<p>
        <a class="button" href="${SIGN_IN_PATH}/start?${query.toString()}">Sign in at ${issuer.name}</a>
      </p>`;
      return answerPage(context, { title: 'Sign in', content });
    });

    app.get('/sign-in/start', async (context) => {
      try {
        const { address, checks } = await issuer.begin();
        const begun: BegunSignIn = { checks, to: returnPath(context.req.query('to')) };
        const sealed = sealing.seal(begun, ANYBODY, Date.now() + LIFE_MS);
        setCookie(context, COOKIE, sealed, { ...cookie, maxAge: LIFE_MS / 1_000 });
        return context.redirect(address.href, 302);
      } catch (error) {
        return refused(context, error);
      }
    });

    app.get('/sign-in/callback', async (context) => {
      const begun = sealing.open(getCookie(context, COOKIE) ?? '', ANYBODY, Date.now()) as BegunSignIn | undefined;
      deleteCookie(context, COOKIE, cookie);
      if (begun === undefined) return refused(context, new SignInRefused('No sign-in was begun here.'));
      try {
        const claims = await issuer.end(new URL(context.req.url).search, begun.checks);
        sessions.start(context, subjectOf(claims, config), rolesIn(claims[config.rolesClaim]));
        return context.redirect(begun.to, 303);
      } catch (error) {
        return refused(context, error);
      }
    });

    function refused(context: Context<InboxEnv>, error: unknown): Promise<Response> {
      log.warn({ err: error }, 'a sign-in to the inbox was refused');
      if (error instanceof IssuerAway) {
        return answerRefused(context, 503, 'Not at the moment', 'The issuer does not answer. Try again in a moment.');
      }
      if (error instanceof SessionTooLarge) {
        const text = `You hold more roles than fit. The operator has the issuer put fewer into ${config.rolesClaim}.`;
        return answerRefused(context, 403, 'Too many roles', text);
      }
      if (error instanceof SignInRefused) {
        return answerRefused(
          context,
          400,
          'Not signed in',
          'The sign-in did not succeed, or took too long. Begin again.',
        );
      }
      throw error;
    }
  };
}

/** Who they are over MCP as well. @throws SignInRefused without the tenant that access tokens have to have */
function subjectOf(claims: Readonly<Record<string, unknown>>, { issuer, tenantClaim }: OidcConfig): Subject {
  const { sub, name } = claims;
  const subject = {
    issuer,
    subject: String(sub),
    ...(typeof name === 'string' && name !== '' ? { name: name.slice(0, 200) } : {}),
  };
  if (tenantClaim === undefined) return subject;
  const tenant = claims[tenantClaim];
  if (typeof tenant !== 'string' || tenant === '') throw new SignInRefused(`The claim ${tenantClaim} is missing.`);
  return { ...subject, tenant };
}
