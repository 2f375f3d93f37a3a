/**
 * From a form to a decision. Each answer of a form is a redirect to a page that only looks, so that loading it again sends
 * nothing; and what was sent is known by its update id, so that sending it again decides nothing twice.
 */
import type { Context, Hono } from 'hono';
import type { DecidedApproval } from '../../protocol/approval.ts';
import { MAX_REASON_CHARS, type Decision } from '../../protocol/decision.ts';
import { StoreUnavailable } from '../task-store.ts';
import { answerNotFound, answerPage, answerRefused } from './answer-page.ts';
import { decidedPage } from './approval-page.ts';
import { pendingPage, verdictPage } from './decision-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';
import { approvalPath } from './paths.ts';
import type { SentDecision, Ticket } from './tickets.ts';
import type { StandIn } from './stand-in.ts';
import { typedText } from './typed-text.ts';
import type { Visitor } from './visitor.ts';

const REFRESH_SECONDS = 3;
const ROLES_GONE = 'You no longer hold the role in which you decided. Nothing was sent now.';
const NO_STAND_IN =
  'You no longer stand in for the person you wanted to decide for: it is over, or was taken back. Nothing was sent now.';
const CHOICES: readonly unknown[] = ['approve', 'reject', 'request_changes'];

export function mountDecisions(app: Hono<InboxEnv>, parts: PageParts): void {
  app.post('/approvals/:id/decide', async (context) => {
    const visitor = context.get('visitor');
    const form = context.get('form');
    const ticket = parts.tickets.openTicket(form.get('ticket'), visitor.caller);
    if (ticket?.approvalId !== context.req.param('id')) {
      return answerRefused(context, 400, 'Too old', 'This form is not good any more. Open the approval again.');
    }
    const { workflowId, delegation } = ticket;
    const standIn = standInBy(delegation, visitor);
    if (standIn === undefined && delegation !== undefined) return answerRefused(context, 403, 'Not sent', NO_STAND_IN);
    const decision = decisionOf(ticket, { ...visitor, standIn }, form);
    if (typeof decision === 'string') return answerRefused(context, 422, 'Not sent', decision);
    return send(parts, context, { workflowId, decision, delegation });
  });
  app.get('/approvals/:id/decisions/:updateId', async (context) => {
    const sent = sentOf(parts, context, context.req.query('sent'));
    if (sent === undefined) return answerNotFound(context);
    const answer = await answerOf(parts, sent);
    if (typeof answer === 'object' && !('counted' in answer)) {
      return answerPage(context, { title: answer.decided.title, content: decidedPage(answer.decided) });
    }
    if (typeof answer === 'object') {
      const { title, content } = verdictPage(answer, sent.decision.approvalId);
      // Who is not asked learns no more than who asks for what does not exist.
      return content === undefined ? answerNotFound(context) : answerPage(context, { title, content });
    }
    const again = {
      address: decisionPath(sent.decision),
      csrf: context.get('csrf'),
      sent: context.req.query('sent') ?? '',
    };
    const page = pendingPage(answer, again);
    return answerPage(context, { ...page, ...(answer === 'unsent' ? {} : { refreshSeconds: REFRESH_SECONDS }) });
  });
  app.post('/approvals/:id/decisions/:updateId', async (context) => {
    const sent = sentOf(parts, context, context.get('form').get('sent'));
    if (sent === undefined) return answerNotFound(context);
    const standIn = standInBy(sent.delegation, context.get('visitor'));
    if (standIn === undefined && sent.delegation !== undefined) {
      return answerRefused(context, 403, 'Not sent', NO_STAND_IN);
    }
    if (!isStillHeld(sent.decision, context.get('visitor'), standIn)) {
      return answerRefused(context, 403, 'Not sent', ROLES_GONE);
    }
    return send(parts, context, sent);
  });
}

type DecisionContext = Context<InboxEnv, '/approvals/:id/decisions/:updateId'>;

function sentOf({ tickets }: PageParts, context: DecisionContext, text: string | undefined): SentDecision | undefined {
  const sent = tickets.openSent(text, context.get('visitor').caller);
  const { id, updateId } = context.req.param();
  return sent?.decision.approvalId === id && sent.decision.updateId === updateId ? sent : undefined;
}

/** At this moment, whatever the page said when it was made. */
function standInBy(delegation: string | undefined, { standsFor }: Visitor): StandIn | undefined {
  return standsFor.find(({ delegationId }) => delegationId === delegation);
}

/** A decision that is sent again says as what it was taken: of that nothing may have been taken away. */
function isStillHeld({ roles, onBehalfOf }: Decision, visitor: Visitor, standIn: StandIn | undefined): boolean {
  const standsFor = onBehalfOf?.roles ?? [];
  return (
    roles.every((role) => visitor.roles.includes(role)) &&
    standsFor.every((role) => standIn?.roles.includes(role) === true)
  );
}

/** A text says what is wrong with the form. */
function decisionOf(
  ticket: Ticket,
  { person, roles, standIn }: Pick<Visitor, 'person' | 'roles'> & { readonly standIn: StandIn | undefined },
  form: ReadonlyMap<string, string>,
): Decision | string {
  const { taskId, approvalId, digest, updateId } = ticket;
  const choice = form.get('choice');
  if (!CHOICES.includes(choice)) return 'This answer is not one that an approval offers.';
  const reason = typedText(form.get('reason'));
  if (reason.length > MAX_REASON_CHARS) return `A reason has at most ${String(MAX_REASON_CHARS)} characters.`;
  const option = form.get('option') ?? '';
  return {
    taskId,
    approvalId,
    digest,
    person,
    roles,
    ...(standIn === undefined ? {} : { onBehalfOf: { ...standIn.person, roles: standIn.roles } }),
    choice: choice as Decision['choice'],
    ...(option === '' ? {} : { option }),
    ...(reason === '' ? {} : { reason }),
    updateId,
    decidedAt: Date.now(),
  };
}

async function send(
  parts: PageParts,
  context: Context<InboxEnv>,
  { workflowId, decision, delegation }: Omit<SentDecision, 'answer'>,
): Promise<Response> {
  const answer = await parts.desk.decide(workflowId, parts.sign(decision)).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return 'unsent' as const;
    parts.log.error({ err: error, taskId: decision.taskId }, 'what became of a decision is not known');
    return 'unconfirmed' as const;
  });
  const query = new URLSearchParams({
    sent: parts.tickets.sealSent({ workflowId, decision, delegation, answer }, context.get('visitor').caller),
  });
  return context.redirect(`${decisionPath(decision)}?${query.toString()}`, 303);
}

/** As it was answered at once, or what has become of it since. Where nothing is known of it, the approval tells. */
async function answerOf(
  { desk }: PageParts,
  { workflowId, decision, answer }: SentDecision,
): Promise<SentDecision['answer'] | { readonly decided: DecidedApproval }> {
  if (typeof answer === 'object') return answer;
  try {
    const verdict = await desk.verdictOf(workflowId, decision.updateId);
    if (verdict !== undefined) return verdict;
    const found = await desk.read(workflowId);
    const decided = found?.decided.find(({ id }) => id === decision.approvalId);
    return decided === undefined ? answer : { decided };
  } catch (error) {
    if (error instanceof StoreUnavailable) return answer;
    throw error;
  }
}

function decisionPath({ approvalId, updateId }: Decision): string {
  return `${approvalPath(approvalId)}/decisions/${encodeURIComponent(updateId)}`;
}
