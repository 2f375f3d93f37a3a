/** How a visitor stands to an approval: what a page offers them. What counts is judged by the task. */
import { hasHadSay, isAsked, isOwnRequest, type Approval, type AskedPeople } from '../../protocol/approval.ts';
import { covers, type StandIn } from './stand-in.ts';
import { isRequester, type Visitor } from './visitor.ts';

export interface Standing {
  /** `own`: somebody else decides. `voted`: they have had their say, or it was said for whom they stand in. */
  readonly mayDecide: 'yes' | 'own' | 'voted';
  /** In whose name; absent: in their own, which goes first where both could be. */
  readonly standIn?: StandIn;
}

/** `undefined`: it asks neither them nor whom they stand in for. */
export function standingOf(visitor: Visitor, approval: Approval, requester: string): Standing | undefined {
  if (isOwnRequest(approval, requester, visitor.person)) return { mayDecide: 'own' };
  const hasVoted = hasHadSay(approval, visitor.person);
  if (isAsked(approval, visitor.person, visitor.roles)) return { mayDecide: hasVoted ? 'voted' : 'yes' };
  const standings = standInsFor(visitor, approval, requester).map((standIn): Standing => {
    return { mayDecide: hasVoted || hasHadSay(approval, standIn.person) ? 'voted' : 'yes', standIn };
  });
  return standings.find(({ mayDecide }) => mayDecide === 'yes') ?? standings[0];
}

/** Also whether it is over: whom it asked may see what became of it. */
export function mayLook(visitor: Visitor, asked: AskedPeople, requester: string): boolean {
  return (
    isRequester(visitor, requester) ||
    isAsked(asked, visitor.person, visitor.roles) ||
    standInsFor(visitor, asked, requester).length > 0
  );
}

/** Nobody is asked for what they ask themselves, so nobody stands in for them there either. */
function standInsFor({ standsFor }: Visitor, asked: AskedPeople, requester: string): readonly StandIn[] {
  return standsFor.filter((one) => covers(one, asked) && !one.person.principals.includes(requester));
}
