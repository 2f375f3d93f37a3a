/** Somebody for whom a visitor may decide. */
import { isAsked, type AskedPeople, type Person } from '../../protocol/approval.ts';

export interface StandIn {
  readonly delegationId: string;
  /** Whose decision it is. */
  readonly person: Person;
  /** Of theirs, those that the delegation covers. */
  readonly roles: readonly string[];
  /** The only role that it covers; then what asks them by name is not covered. */
  readonly role?: string;
}

export function covers({ person, roles, role }: StandIn, asked: AskedPeople): boolean {
  return isAsked(role === undefined ? asked : { ...asked, people: [] }, person, roles);
}
