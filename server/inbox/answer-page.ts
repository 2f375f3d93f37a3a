/** A page as the answer to a request. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { html } from 'hono/html';
import { layout, type Page } from './layout.ts';
import { INBOX_PATH, LINKS_PATH } from './paths.ts';
import type { InboxEnv } from './inbox-env.ts';

export async function answerPage(
  context: Context<InboxEnv>,
  page: Omit<Page, 'signedIn'>,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  // Pages before the sign-in have neither.
  const visitor = context.get('visitor') as InboxEnv['Variables']['visitor'] | undefined;
  const signedIn = visitor && { name: visitor.person.name, csrf: context.get('csrf') };
  return context.html(await layout({ ...page, signedIn }), status);
}

/** Whether an open page asks by script, to renew a part of itself. */
export function isLookAgain(context: Context<InboxEnv>): boolean {
  return context.req.header('hx-request') === 'true';
}

/** Where an open page asks for a part of itself, it takes all of this one. */
export function renewWhole(context: Context<InboxEnv>): void {
  context.header('hx-retarget', 'main');
  context.header('hx-reselect', 'main');
  context.header('hx-reswap', 'outerHTML');
}

/** Unknown, over for long, and not theirs read the same. */
export function answerNotFound(context: Context<InboxEnv>): Promise<Response> {
  const content = html`<p>There is nothing here for you to decide or to see. It may be over.</p>
    <p><a href="${INBOX_PATH}">To the decisions that wait for you</a></p>`;
  return answerPage(context, { title: 'Not found', content }, 404);
}

export function answerRefused(
  context: Context<InboxEnv>,
  status: ContentfulStatusCode,
  title: string,
  sentence: string,
): Promise<Response> {
  // Who came by a link has no business there.
  const isInside = !context.req.path.startsWith(`${LINKS_PATH}/`);
  const content = html`<p>${sentence}</p>
    ${isInside ? html`<p><a href="${INBOX_PATH}">To the inbox</a></p>` : ''}`;
  return answerPage(context, { title, content }, status);
}
