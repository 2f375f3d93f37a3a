/** Who looks at a page of the inbox: one person with their roles, who is the caller of their own tasks as well. */
import type { Person } from '../../protocol/approval.ts';
import { principalsOf, type ApproverClaims, type Caller } from '../caller.ts';
import { callerOf, type PrincipalRing } from '../principal.ts';
import type { Approver } from './approvers.ts';
import type { Session } from './session.ts';
import type { StandIn } from './stand-in.ts';

export interface Visitor {
  readonly person: Person;
  readonly roles: readonly string[];
  readonly caller: Caller;
  /** For whom they stand in. None where delegations do not reach. */
  readonly standsFor: readonly StandIn[];
}

export function visitorOf(ring: PrincipalRing, session: Session, approvers: readonly Approver[]): Visitor {
  const { subject, roles } = session;
  const caller = callerOf(ring, subject, { scopes: 'all' });
  return callerAsVisitor(caller, { subject: subject.subject, roles }, approvers);
}

/** Their roles are those of the file and those that the sign-in brought. */
export function callerAsVisitor(
  caller: Caller,
  { subject, roles }: ApproverClaims,
  approvers: readonly Approver[],
): Visitor {
  const own = caller.identity?.organisation;
  const listed = approvers.find((approver) => approver.subject === subject && (approver.organisation ?? own) === own);
  return {
    person: {
      principals: principalsOf(caller),
      subject,
      ...(own === undefined ? {} : { organisation: own }),
      // What an issuer lets its users call themselves may be somebody else's name.
      name: listed?.name ?? caller.displayName ?? subject,
    },
    roles: [...new Set([...(listed?.roles ?? []), ...roles])].toSorted(),
    caller,
    standsFor: [],
  };
}

/** Whether they are who asks: they decide nothing there. */
export function isRequester({ person }: Visitor, requester: string): boolean {
  return person.principals.includes(requester);
}
