/** Signing in to the inbox at an issuer. */
import type { AuthorizationServer } from './authorization-server.ts';
import type { InboxVisitor } from './inbox-visitor.ts';

/** Where the issuer sends the browser of `visitor` back to, who has asked for `page` and says that they are `as`. @throws when the inbox leads to no issuer */
export async function backFromIssuer(
  issuer: AuthorizationServer,
  visitor: InboxVisitor,
  as: string,
  page = '/inbox',
): Promise<string> {
  const asked = await visitor.get(page);
  const [, link = ''] = /href="([^"]*\/sign-in\/start[^"]*)"/.exec(asked.text) ?? [];
  const started = await visitor.once(link, {});
  const sentTo = started.headers.get('location');
  if (sentTo === null) throw new Error(`${page} leads to ${link}, and that to ${started.status}: ${asked.text}`);
  const { pathname, search } = await issuer.approve(new URL(sentTo), as);
  return `${pathname}${search}`;
}
