/**
 * The pages outside the sign-in. A GET shows; a POST answers, once. Who holds the link of an approval is its only possible
 * decider, and their answer goes through the same gate as every other decision: signed by the front, judged by the workflow.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { holderOf } from '../../protocol/link-holder.ts';
import { MAX_REASON_CHARS, type Decision } from '../../protocol/decision.ts';
import { StoreUnavailable } from '../task-store.ts';
import { answerPage } from './answer-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import { lookByLink, type LinkLook } from './link-look.ts';
import { linkPage } from './link-page.ts';
import type { OpenedLink } from './links.ts';
import type { InboxParts } from './parts.ts';
import { linkPath } from './paths.ts';
import { typedText } from './typed-text.ts';

type LinkContext = Context<InboxEnv, '/:token'>;
type Answering = Pick<InboxParts, 'desk' | 'links' | 'sign' | 'log'>;

const SITE = 'Answer';

export function mountLinks(app: Hono<InboxEnv>, parts: Answering): void {
  const { desk, links } = parts;
  app.get('/:token', (context) =>
    withLink(context, parts, ({ words }, look, token) => {
      const form = { action: linkPath(token), ticket: links.sealForm(token, randomUUID()) };
      const { title, content } = linkPage(look, words, form);
      return answerPage(context, { title, content, site: SITE });
    }),
  );
  app.post('/:token', (context) =>
    withLink(context, parts, async (link, look, token) => {
      // What stands is told by the page itself.
      if (look.kind !== 'open' || look.approval.link === undefined) return context.redirect(linkPath(token), 303);
      const form = context.get('form');
      const updateId = links.openForm(token, form.get('ticket'));
      const choice = form.get('choice');
      if (updateId === undefined || (choice !== 'approve' && choice !== 'reject')) {
        return say(context, 400, 'Too old', 'This form is not good any more. Open the link again.');
      }
      const reason = typedText(form.get('reason'));
      if (reason.length > MAX_REASON_CHARS) {
        return say(context, 422, 'Not sent', `Write at most ${String(MAX_REASON_CHARS)} characters.`);
      }
      const { taskId, approvalId, digest } = link;
      const person = holderOf(approvalId, look.approval.link);
      const said = { choice, ...(reason === '' ? {} : { reason }) } as const;
      const who = { person, roles: [], byLink: true } as const;
      return send(context, link, { taskId, approvalId, digest, ...who, ...said, updateId, decidedAt: Date.now() });
    }),
  );

  app.all('*', answerNowhere);

  async function send(context: LinkContext, { workflowId }: OpenedLink, decision: Decision): Promise<Response> {
    const answer = await desk.decide(workflowId, parts.sign(decision));
    if (answer === 'unconfirmed') {
      return say(context, 202, 'On its way', 'Your answer is not confirmed yet. Open the link again in a minute.');
    }
    const isMissed = !answer.counted && (answer.refusal.code === 'unchecked' || answer.refusal.code === 'unsigned');
    if (isMissed) return say(context, 503, 'Not at the moment', 'Nothing was changed: try again in a moment.');
    return context.redirect(linkPath(context.req.param('token')), 303);
  }
}

/** Whatever is not a link of ours to something that is still kept reads the same. */
async function withLink(
  context: LinkContext,
  { desk, links, log }: Answering,
  answer: (link: OpenedLink, look: LinkLook, token: string) => Response | Promise<Response>,
): Promise<Response> {
  context.header('x-robots-tag', 'noindex');
  const token = context.req.param('token');
  const link = links.open(token);
  try {
    const look = link && (await lookByLink(desk, link, Date.now()));
    if (link === undefined || look === undefined) {
      return await answerNowhere(context);
    }
    return await answer(link, look, token);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) log.error({ err: error }, 'a page behind a link failed');
    return say(context, 503, 'Not at the moment', 'Nothing was changed, as far as is known: try again in a moment.');
  }
}

function answerNowhere(context: Context<InboxEnv>): Promise<Response> {
  return say(context, 404, 'Not found', 'This link leads nowhere. Copy all of it, or ask for another one.');
}

function say(context: Context<InboxEnv>, status: 202 | 400 | 404 | 422 | 503, title: string, sentence: string) {
  return answerPage(context, { title, content: html`<p>${sentence}</p>`, site: SITE }, status);
}
