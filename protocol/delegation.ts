/**
 * One person's decisions, signed over to another for a span of time. It ends by itself or when it is revoked, and reaches one
 * person: who stands in for somebody cannot pass that on.
 */

/** Somebody as their sign-in named them. */
export interface SignedIn {
  readonly issuer: string;
  readonly subject: string;
  /** Their organisation, where the issuer tells several apart. */
  readonly tenant?: string;
}

/** Whose decisions they are. */
export interface Delegator extends SignedIn {
  /** For other people to read. */
  readonly name: string;
}

export interface NewDelegation {
  /** Never used again. */
  readonly id: string;
  readonly from: Delegator;
  /** Who stands in: a subject of the approvers' list, of the issuer and the organisation of the delegator. */
  readonly to: string;
  /** Only what is asked of this role; absent: whatever asks the delegator, also by name. */
  readonly role?: string;
  /** Epoch ms: it is in force from then on. */
  readonly fromAt: number;
  /** Epoch ms: from then on it is over. */
  readonly untilAt: number;
}

export interface Delegation extends NewDelegation {
  readonly createdAt: number;
  readonly revokedAt?: number;
}

/** Every method throws a StoreDown when the database is out of reach. */
export interface DelegationBook {
  give(delegation: NewDelegation): Promise<void>;
  /** Neither over nor revoked at `at`, what begins first, first. */
  givenBy(from: SignedIn, at: number): Promise<readonly Delegation[]>;
  /** Neither over nor revoked at `at`, what begins first, first. */
  receivedBy(to: SignedIn, at: number): Promise<readonly Delegation[]>;
  /** Revoking twice keeps the first time. `undefined`: `from` has given no such delegation. */
  revoke(id: string, from: SignedIn): Promise<Delegation | undefined>;
}

/** Of those that are neither over nor revoked. */
export function hasBegun({ fromAt }: Delegation, at: number): boolean {
  return fromAt <= at;
}
