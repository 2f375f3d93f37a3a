/** For whom somebody stands in at this moment: read at each request, so that what is over or revoked counts no more at once. */
import type { MiddlewareHandler } from 'hono';
import { hasBegun, type DelegationBook, type SignedIn } from '../../protocol/delegation.ts';
import { callerOf, type PrincipalRing } from '../principal.ts';
import type { Approver } from './approvers.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { StandIn } from './stand-in.ts';
import { callerAsVisitor } from './visitor.ts';

export interface StandInParts {
  readonly delegations?: DelegationBook | undefined;
  readonly principalRing: PrincipalRing;
  readonly approvers: () => Promise<readonly Approver[]>;
}

export function addStandIns(parts: StandInParts): MiddlewareHandler<InboxEnv> {
  return async (context, next) => {
    const visitor = context.get('visitor');
    context.set('visitor', { ...visitor, standsFor: await standInsOf(parts, context.get('subject'), Date.now()) });
    return next();
  };
}

/** @throws StoreDown, ApproversFault */
export async function standInsOf(parts: StandInParts, visitor: SignedIn, at: number): Promise<readonly StandIn[]> {
  const received = (await parts.delegations?.receivedBy(visitor, at)) ?? [];
  const begun = received.filter((delegation) => hasBegun(delegation, at));
  if (begun.length === 0) return [];
  const approvers = await parts.approvers();
  const isListed = ({ subject }: SignedIn): boolean => approvers.some((approver) => approver.subject === subject);
  // Who was taken out of the list neither stands in nor is stood in for.
  if (!isListed(visitor)) return [];
  return begun.flatMap(({ id, from, role }): readonly StandIn[] => {
    if (!isListed(from)) return [];
    const caller = callerOf(parts.principalRing, from, { scopes: 'all' });
    const { person, roles } = callerAsVisitor(caller, { subject: from.subject, roles: [] }, approvers);
    if (role === undefined) return [{ delegationId: id, person, roles }];
    return roles.includes(role) ? [{ delegationId: id, person, roles: [role], role }] : [];
  });
}
