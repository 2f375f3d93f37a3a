import type { Hono } from 'hono';
import { answerPage } from './answer-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';
import { LIVE_PATH } from './paths.ts';
import { lookAtQueue } from './queue-look.ts';
import { queuePage } from './queue-page.ts';

export function mountQueue(app: Hono<InboxEnv>, parts: PageParts): void {
  app.get('/', async (context) => {
    const visitor = context.get('visitor');
    const asked = context.req.query('role');
    // A role that somebody does not hold shows them nothing; it need not be told apart from an empty one.
    const question = { role: asked, after: context.req.query('after') };
    const [view, approvers] = await Promise.all([lookAtQueue(parts, visitor, question), parts.approvers()]);
    const isLive = parts.changes !== undefined;
    const content = queuePage({ ...view, question, roles: visitor.roles, approvers, isLive }, Date.now());
    return answerPage(context, { title: 'Decisions', content, live: isLive ? LIVE_PATH : undefined });
  });
}
