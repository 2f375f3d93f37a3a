import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { digestOf } from '../../encryption/decision-signing.ts';
import { shownText } from '../../protocol/approval.ts';
import { answerNotFound, answerPage, renewWhole } from './answer-page.ts';
import { lookAtApproval, type OpenLook } from './approval-look.ts';
import { approvalPage, decidedPage } from './approval-page.ts';
import { mountDecisions } from './decision-pages.ts';
import { mountDocuments } from './documents.ts';
import { lookAtHistory } from './history-look.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';
import { approvalLivePath, approvalPath } from './paths.ts';
import { claimAct, viewedAct } from './told-views.ts';
import type { Visitor } from './visitor.ts';

export function mountApprovals(app: Hono<InboxEnv>, parts: PageParts): void {
  app.get('/approvals/:id', async (context) => {
    const visitor = context.get('visitor');
    const look = await lookAtApproval(parts, visitor, context.req.param('id'));
    if (look === undefined) return answerNotFound(context);
    // While somebody may be filling in the form, only what stands beside it is renewed; later the page as a whole.
    if (look.kind === 'decided' || look.mayDecide !== 'yes') renewWhole(context);
    if (look.kind === 'decided') {
      const content = decidedPage(look.decided, await lookAtHistory(parts, visitor, look));
      return answerPage(context, { title: look.decided.title, content });
    }
    const digest = digestOf(shownText(look.found.taskId, look.found.tool, look.approval));
    // Nothing is shown that the audit does not know of; to HEAD nothing is.
    if (context.req.method !== 'HEAD') await parts.audit?.append(viewedAct(visitor, look, digest));
    const ticket = ticketOf(parts, visitor, look, digest);
    const { subject } = visitor.person;
    const [approvers, history] = await Promise.all([parts.approvers(), lookAtHistory(parts, visitor, look)]);
    const canDelegate = parts.delegations !== undefined;
    const page = { look, history, approvers, subject, canDelegate, csrf: context.get('csrf'), ticket };
    const live = parts.changes === undefined ? undefined : approvalLivePath(look.approval.id);
    return answerPage(context, { title: look.approval.title, content: approvalPage(page, Date.now()), live });
  });
  app.post('/approvals/:id/:act{claim|release}', async (context) => {
    const { id, act } = context.req.param();
    const visitor = context.get('visitor');
    const look = await lookAtApproval(parts, visitor, id);
    if (look?.kind !== 'open' || look.mayDecide !== 'yes') return answerNotFound(context);
    const { subject } = visitor.person;
    const isDone = await (act === 'claim' ? parts.queue.claim(id, subject) : parts.queue.release(id, subject));
    if (isDone) await parts.audit?.append(claimAct(act === 'claim' ? 'claimed' : 'released', visitor, look));
    return context.redirect(approvalPath(id), 303);
  });
  mountDocuments(app, parts);
  mountDecisions(app, parts);
}

function ticketOf(
  { tickets }: PageParts,
  { caller }: Visitor,
  { found: { workflowId, taskId }, approval, standIn }: OpenLook,
  digest: string,
): string {
  const ticket = { workflowId, taskId, approvalId: approval.id, digest, updateId: randomUUID() };
  return tickets.sealTicket({ ...ticket, delegation: standIn?.delegationId }, caller);
}
