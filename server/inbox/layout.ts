/** The frame of every page. No script and no style stands in a page: the policy of the inbox forbids both. */
import { html } from 'hono/html';
import type { Html } from './html.ts';
import { DELEGATIONS_PATH, INBOX_PATH, SIGN_IN_PATH, TASKS_PATH } from './paths.ts';

export interface Page {
  readonly title: string;
  readonly content: Html;
  /** What the page belongs to, in the title of its window. Default: the inbox, whose scripts only its own pages need. */
  readonly site?: string;
  /** Absent on pages for people who have not signed in. */
  readonly signedIn?: { readonly name: string; readonly csrf: string } | undefined;
  /** The page asks for itself again after so many seconds. */
  readonly refreshSeconds?: number;
  /** Where it learns that something of it has changed. */
  readonly live?: string | undefined;
}

/** When a part of a page with a stream asks for itself again: assets/live.js tells it. */
export const ON_CHANGE = 'inbox:changed from:body';

/** htmx would otherwise write a style element, and evaluate text as code. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorStyles: false, allowEval: false, selfRequestsOnly: true });

export function layout({ title, content, site, signedIn, refreshSeconds, live }: Page): Html {
  const refresh = refreshSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content="${HTMX_CONFIG}" />
        ${refresh} ${live === undefined ? '' : liveParts(live)}
        <title>${title} – ${site ?? 'Inbox'}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${INBOX_PATH}/assets/inbox.css" />
        ${site === undefined ? html`<script src="${INBOX_PATH}/assets/htmx.js" defer></script>` : ''}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${signedIn === undefined ? '' : banner(signedIn)}
        <main id="content" tabindex="-1">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}

function liveParts(address: string): Html {
  return html`<meta name="inbox-live" content="${address}" />
    <script src="${INBOX_PATH}/assets/live.js" defer></script>`;
}

function banner({ name, csrf }: NonNullable<Page['signedIn']>): Html {
  return html`<header>
    <nav aria-label="Inbox">
      <a href="${INBOX_PATH}">Decisions</a>
      <a href="${TASKS_PATH}">My tasks</a>
      <a href="${DELEGATIONS_PATH}">Standing in</a>
    </nav>
    <form method="post" action="${SIGN_IN_PATH}/end">
      <input type="hidden" name="csrf" value="${csrf}" />
      <span>${name}</span>
      <button class="quiet">Sign out</button>
    </form>
  </header>`;
}
