/** Where the streams of open pages are. */
import type { Context, Hono } from 'hono';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Told } from '../approvals/approval-watch.ts';
import { lookAtApproval } from './approval-look.ts';
import { answerNotFound, answerRefused } from './answer-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { LiveStreams } from './live-streams.ts';
import type { PageParts } from './parts.ts';
import { mayLook } from './standing.ts';

/** Not one of the requester's: nobody is asked for what they ask themselves. */
const NOBODY = '';

export function mountLive(app: Hono<InboxEnv>, parts: PageParts & { readonly live: LiveStreams }): void {
  app.get('/live', (context) => {
    const visitor = context.get('visitor');
    const isMine = (told: Told): boolean =>
      told === 'anything' || told.some((change) => mayLook(visitor, change, NOBODY));
    return serve(context, parts.live, isMine);
  });
  app.get('/approvals/:id/live', async (context) => {
    const id = context.req.param('id');
    const look = await lookAtApproval(parts, context.get('visitor'), id);
    if (look === undefined) return answerNotFound(context);
    const isMine = (told: Told): boolean => told === 'anything' || told.some(({ approvalId }) => approvalId === id);
    return serve(context, parts.live, isMine);
  });
}

function serve(
  context: Context<InboxEnv>,
  live: LiveStreams,
  isMine: (told: Told) => boolean,
): Response | Promise<Response> {
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
  const { principal } = context.get('visitor').caller;
  const { outgoing, lifetime } = context.env;
  if (lifetime.draining.aborted) return answerRefused(context, 503, 'Not at the moment', 'This server is stopping.');
  if (!live.hasRoomFor(principal)) {
    return answerRefused(context, 429, 'Too many pages', 'Too many pages are open: this one looks again by itself.');
  }
  lifetime.becomesStream();
  live.serve(outgoing, { principal, csrf: context.get('csrf'), isMine, signal: lifetime.draining });
  return RESPONSE_ALREADY_SENT;
}
