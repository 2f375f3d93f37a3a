/**
 * The web page on which people decide. Order, the first failure answers: origin, size and type of a form, sign-in pages, who
 * visits, the form's token; then the page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { StoreDown } from '../../store/store-down.ts';
import { createApprovalWatch } from '../approvals/approval-watch.ts';
import { StoreUnavailable } from '../task-store.ts';
import { answerNotFound, answerRefused, isLookAgain } from './answer-page.ts';
import { mountApprovals } from './approval-pages.ts';
import { ApproversFault } from './approvers.ts';
import { mountAssets } from './assets.ts';
import { mountDelegations } from './delegation-pages.ts';
import { limitBody, readForm, refuseOtherOrigins, setHeaders } from './hardening.ts';
import { mountLinks } from './link-pages.ts';
import { mountMyTasks } from './my-task-pages.ts';
import type { InboxEnv, Lifetime } from './inbox-env.ts';
import { mountLive } from './live-pages.ts';
import { LiveStreams } from './live-streams.ts';
import type { InboxParts, PageParts } from './parts.ts';
import { INBOX_PATH, LINKS_PATH, SIGN_IN_PATH } from './paths.ts';
import { mountQueue } from './queue-pages.ts';
import { createSessions, isCsrfToken, type Sessions } from './session.ts';
import { addStandIns } from './stand-ins.ts';
import { createTickets } from './tickets.ts';
import { visitorOf } from './visitor.ts';

export type InboxDoor = (request: IncomingMessage, response: ServerResponse, lifetime: Lifetime) => Promise<void>;

const NEEDS_DATABASE =
  'The inbox keeps what waits for whom in the database, and this server has none. Its operator sets DATABASE_URL.';

export function createInbox(parts: InboxParts): InboxDoor {
  const app = new Hono<InboxEnv>();
  const sessions = createSessions(parts.principalRing, parts.issuer, parts.isSecure);
  app.use(setHeaders);
  mountAssets(app);
  app.use(refuseOtherOrigins, limitBody, readForm);
  app.onError((error, context) => {
    const isAway = error instanceof StoreDown || error instanceof StoreUnavailable;
    if (!isAway) parts.log.error({ err: error }, 'a page of the inbox failed');
    return answerFault(context, error);
  });
  const { queue } = parts;
  if (queue === undefined) {
    app.all('*', (context) => answerRefused(context, 503, 'No database', NEEDS_DATABASE));
  } else {
    parts.signIn(app, parts, sessions);
    app.use(requireVisitor(parts, sessions));
    mountPages(app, { ...parts, queue, sessions, tickets: createTickets(parts.principalRing) });
  }
  const outside = new Hono<InboxEnv>();
  outside.use(setHeaders, refuseOtherOrigins, limitBody, readForm);
  mountLinks(outside, parts);
  const root = new Hono<InboxEnv>({ strict: false })
    .route(INBOX_PATH, app)
    .route(LINKS_PATH, outside)
    .notFound(answerNotFound);
  return (request, response, lifetime) =>
    getRequestListener((asked, bindings) => root.fetch(asked, { ...(bindings as HttpBindings), lifetime }), {
      overrideGlobalObjects: false,
    })(request, response);
}

function mountPages(app: Hono<InboxEnv>, parts: PageParts): void {
  const { changes, log } = parts;
  const live = changes && new LiveStreams(createApprovalWatch({ changes, log }), parts.liveLimits);
  app.post('/sign-in/end', (context) => {
    parts.sessions.end(context);
    live?.endOf(context.get('csrf'));
    return context.redirect(SIGN_IN_PATH, 303);
  });
  // Pages that show no approval need nothing of it, nor the database for it.
  for (const path of ['/', '/live', '/approvals/*']) app.use(path, addStandIns(parts));
  if (live !== undefined) mountLive(app, { ...parts, live });
  mountQueue(app, parts);
  mountApprovals(app, parts);
  mountMyTasks(app, parts);
  mountDelegations(app, parts);
}

function requireVisitor(parts: InboxParts, sessions: Sessions): MiddlewareHandler<InboxEnv> {
  return async (context, next) => {
    const session = sessions.of(context);
    const { method, path } = context.req;
    if (session === undefined) {
      const query = new URLSearchParams({ to: method === 'POST' ? INBOX_PATH : path });
      const signIn = `${SIGN_IN_PATH}?${query.toString()}`;
      // A page that looks again would put what it finds there into itself.
      if (isLookAgain(context)) return context.body(null, 204, { 'hx-redirect': signIn });
      return context.redirect(signIn, 303);
    }
    context.set('visitor', visitorOf(parts.principalRing, session, await parts.approvers()));
    context.set('subject', session.subject);
    context.set('csrf', session.csrf);
    if (method === 'POST' && !isCsrfToken(session, context.get('form').get('csrf'))) {
      return answerRefused(
        context,
        403,
        'Refused',
        'This form is too old, or not from a page of yours. Open it again.',
      );
    }
    return next();
  };
}

function answerFault(context: Parameters<typeof answerRefused>[0], error: unknown): Promise<Response> {
  if (error instanceof StoreDown || error instanceof StoreUnavailable) {
    const text = 'The server cannot reach what it needs for this page. Nothing was changed: try again in a moment.';
    return answerRefused(context, 503, 'Not at the moment', text);
  }
  if (error instanceof ApproversFault) {
    return answerRefused(context, 503, 'Not at the moment', 'The list of approvers of this server cannot be read.');
  }
  return answerRefused(context, 500, 'Something went wrong', 'The cause is in the log of this server.');
}
