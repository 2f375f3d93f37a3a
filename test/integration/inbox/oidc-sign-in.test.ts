/** Signing in to the inbox at a real issuer. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OidcConfig } from '../../../server/inbox/config.ts';
import { oidcSignIn } from '../../../server/inbox/oidc-sign-in.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/authorization-server.ts';
import { freePort } from '../../support/free-port.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { InboxVisitor, wordsOf, type InboxPage } from '../../support/inbox-visitor.ts';
import { backFromIssuer } from '../../support/issuer-sign-in.ts';

const SECRET = 'a secret of the tests';
const PROFILES: Readonly<Record<string, object>> = {
  ada: { name: 'Ada', groups: ['finance', 'staff'], org: 'acme' },
  bob: { name: '<b>Bob</b>', groups: 'purchasing staff', org: 'acme' },
  eve: { groups: Array.from({ length: 400 }, (_, index) => `group ${String(index)}`) },
};

let issuer: AuthorizationServer;
let config: OidcConfig;
let inbox: InboxBench;
beforeAll(async () => {
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${String(port)}/inbox`);
  issuer = await startIssuer(url, 'user info');
  config = configOf(issuer, url);
  inbox = await openInboxBench({ signIn: oidcSignIn(config), issuer: config.issuer }, port);
  await inbox.bench.startWorker();
});

function startIssuer({ origin }: URL, profileIn: 'id token' | 'user info'): Promise<AuthorizationServer> {
  return startAuthorizationServer({
    resources: [],
    profileOf: (subject) => ({ ...PROFILES[subject] }),
    profileIn,
    clients: [
      { client_id: 'inbox', client_secret: SECRET, redirect_uris: [`${origin}/inbox/sign-in/callback`] },
      {
        client_id: 'public inbox',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${origin}/inbox/sign-in/callback`],
      },
    ],
  });
}

function configOf({ issuer: name }: AuthorizationServer, url: URL): OidcConfig {
  const claims = { rolesClaim: 'groups', tenantClaim: undefined };
  return { issuer: name, clientId: 'inbox', clientSecret: SECRET, url, ...claims };
}

async function signIn(as: string, page?: string): Promise<{ visitor: InboxVisitor; first: InboxPage }> {
  const visitor = new InboxVisitor(inbox.origin);
  return { visitor, first: await visitor.get(await backFromIssuer(issuer, visitor, as, page)) };
}

describe('signing in at the issuer', () => {
  it('leads back to the page that was asked for, with the name and the roles that the issuer tells', async () => {
    const { id } = await inbox.open({ title: 'For finance' });
    const { visitor, first } = await signIn('ada', `/inbox/approvals/${id}`);
    expect(first.address).toBe(`/inbox/approvals/${id}`);
    expect(wordsOf(first)).toMatch(/Ada Sign out.*For finance/);
    expect(wordsOf(await visitor.get('/inbox'))).toContain('Mine finance staff');
    const { first: other } = await signIn('bob');
    expect(wordsOf(other)).toMatch(/&lt;b&gt;Bob&lt;\/b&gt; Sign out.*Mine purchasing staff.*Nothing waits/);
  });

  it('makes them the principal that they are over MCP: nobody decides on their own', async () => {
    const { id } = await inbox.open({}, inbox.callerNamed('ada', issuer.issuer));
    const { first } = await signIn('ada', `/inbox/approvals/${id}`);
    expect(wordsOf(first)).toContain('This is a request of yours');
  });

  it('takes roles out of the ID token, and needs no secret for a public client', async () => {
    const port = await freePort();
    const url = new URL(`http://127.0.0.1:${String(port)}/inbox`);
    const other = await startIssuer(url, 'id token');
    const signingIn = oidcSignIn({ ...configOf(other, url), clientId: 'public inbox', clientSecret: undefined });
    const { origin } = await openInboxBench({ signIn: signingIn, issuer: configOf(other, url).issuer }, port);
    const visitor = new InboxVisitor(origin);
    const sentTo = (await visitor.once('/inbox/sign-in/start', {})).headers.get('location');
    const { pathname, search } = await other.approve(new URL(sentTo!), 'ada');
    expect(wordsOf(await visitor.get(`${pathname}${search}`))).toContain('Mine finance staff');
  });
});

describe('signing in is refused', () => {
  const refusal = [400, expect.stringContaining('Begin again')];

  it('when it was not begun by this browser, or another state comes back, or a code comes twice', async () => {
    const visitor = new InboxVisitor(inbox.origin);
    const callback = await backFromIssuer(issuer, visitor, 'ada');
    const other = new InboxVisitor(inbox.origin);
    for (const [who, address] of [
      [other, callback],
      [visitor, callback.replace(/state=[^&]*/, 'state=another')],
    ] as const) {
      const page = await who.get(address);
      expect([page.status, wordsOf(page)]).toEqual(refusal);
    }
    const again = await backFromIssuer(issuer, visitor, 'ada');
    const cookie = visitor.cookies.get('inbox_sign_in')!;
    expect((await visitor.get(again)).status).toBe(200);
    const replayed = new InboxVisitor(inbox.origin);
    replayed.cookies.set('inbox_sign_in', cookie);
    expect((await replayed.get(again)).status).toBe(400);
    expect(replayed.cookies.has('inbox_session')).toBe(false);
  });

  it('when the issuer says no', async () => {
    const visitor = new InboxVisitor(inbox.origin);
    const { searchParams } = new URL(await backFromIssuer(issuer, visitor, 'ada'), inbox.origin);
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state')!,
      iss: issuer.issuer,
    });
    const page = await visitor.get(`/inbox/sign-in/callback?${query.toString()}`);
    expect([page.status, wordsOf(page)]).toEqual(refusal);
  });

  it('when somebody has more roles than a cookie holds', async () => {
    const { first } = await signIn('eve');
    expect([first.status, wordsOf(first)]).toEqual([403, expect.stringContaining('more roles than fit')]);
  });

  it('never sends a browser to another site', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example/inbox',
      '/inbox/../evil',
      '/inbox//evil.example',
      '/mcp',
    ]) {
      const visitor = new InboxVisitor(inbox.origin);
      const started = await visitor.once(`/inbox/sign-in/start?to=${encodeURIComponent(to)}`, {});
      const back = await issuer.approve(new URL(started.headers.get('location')!), 'ada');
      const done = await visitor.once(`${back.pathname}${back.search}`, {});
      expect([done.status, done.headers.get('location')]).toEqual([303, '/inbox']);
    }
  });

  it('when the issuer cannot be reached, or names no tenant where there has to be one', async () => {
    const port = await freePort();
    const away = oidcSignIn({ ...config, issuer: `http://127.0.0.1:${String(await freePort())}` });
    const lost = await new InboxVisitor((await openInboxBench({ signIn: away })).origin).get('/inbox/sign-in/start');
    expect([lost.status, wordsOf(lost)]).toEqual([503, expect.stringContaining('The issuer does not answer')]);

    const url = new URL(`http://127.0.0.1:${String(port)}/inbox`);
    const other = await startIssuer(url, 'user info');
    const tenanted = oidcSignIn({ ...configOf(other, url), tenantClaim: 'org' });
    const { origin } = await openInboxBench({ signIn: tenanted, issuer: configOf(other, url).issuer }, port);
    for (const [as, status] of [
      ['ada', 200],
      ['nobody', 400],
    ] as const) {
      const visitor = new InboxVisitor(origin);
      const sentTo = (await visitor.once('/inbox/sign-in/start', {})).headers.get('location');
      const { pathname, search } = await other.approve(new URL(sentTo!), as);
      expect((await visitor.get(`${pathname}${search}`)).status).toBe(status);
    }
  });
});
