/** Everybody signs over their own decisions and nobody else's: whose they are is who has signed in. */
import { randomUUID } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { Delegator } from '../../protocol/delegation.ts';
import { answerNotFound, answerPage, answerRefused } from './answer-page.ts';
import { delegationOf } from './delegation-form.ts';
import { delegationsPage } from './delegations-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';
import { DELEGATIONS_PATH } from './paths.ts';
import { delegationAct } from './told-delegations.ts';

/** Of one person, that are not over. */
const MAX_GIVEN = 20;

export function mountDelegations(app: Hono<InboxEnv>, parts: PageParts): void {
  const { delegations, audit } = parts;
  if (delegations === undefined) return;

  app.get('/delegations', (context) => showDelegations(context));

  app.post('/delegations', async (context) => {
    const [now, form, from] = [Date.now(), context.get('form'), delegatorOf(context)];
    const approvers = await parts.approvers();
    const self = approvers.find(({ subject }) => subject === from.subject);
    if (self === undefined) {
      return answerRefused(context, 403, 'Refused', 'Only people of the list of approvers can have somebody stand in.');
    }
    const wanted = delegationOf(form, { self, approvers, now });
    if (typeof wanted === 'string') return showDelegations(context, wanted);
    const given = await delegations.givenBy(from, now);
    if (given.length >= MAX_GIVEN) {
      return showDelegations(context, `At most ${String(MAX_GIVEN)} at once: take one back first.`);
    }
    const delegation = { id: randomUUID(), from, ...wanted };
    // Nothing is in force that the audit does not know of.
    await audit?.append(
      delegationAct('delegated', delegation, { principal: principalIn(context), approvers, at: now }),
    );
    await delegations.give(delegation);
    return context.redirect(DELEGATIONS_PATH, 303);
  });

  app.post('/delegations/revoke', async (context) => {
    const revoked = await delegations.revoke(context.get('form').get('id') ?? '', delegatorOf(context));
    if (revoked === undefined) return answerNotFound(context);
    const { revokedAt: at = Date.now() } = revoked;
    const told = { principal: principalIn(context), approvers: await parts.approvers(), at };
    await audit?.append(delegationAct('delegation_revoked', revoked, told));
    return context.redirect(DELEGATIONS_PATH, 303);
  });

  async function showDelegations(context: Context<InboxEnv>, problem?: string): Promise<Response> {
    const now = Date.now();
    const from = delegatorOf(context);
    const [given, received, approvers] = await Promise.all([
      delegations?.givenBy(from, now) ?? [],
      delegations?.receivedBy(from, now) ?? [],
      parts.approvers(),
    ]);
    const self = approvers.find(({ subject }) => subject === from.subject);
    const shown = { given, received, self, approvers, csrf: context.get('csrf') };
    // A link from an approval brings the role that it asks.
    const linked = new Map([['role', context.req.query('role') ?? '']]);
    const tried = problem === undefined ? { filled: linked } : { problem, filled: context.get('form') };
    const content = delegationsPage({ ...shown, ...tried }, now);
    return answerPage(context, { title: 'Standing in', content }, problem === undefined ? 200 : 422);
  }
}

function delegatorOf(context: Context<InboxEnv>): Delegator {
  const { issuer, subject, tenant } = context.get('subject');
  const { name } = context.get('visitor').person;
  return { issuer, subject, ...(tenant === undefined ? {} : { tenant }), name };
}

function principalIn(context: Context<InboxEnv>): string {
  return context.get('visitor').caller.principal;
}
