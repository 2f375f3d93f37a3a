/** Who stands in for whom, as a table. Rows are revoked and never removed. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Delegation, DelegationBook, NewDelegation, SignedIn } from '../protocol/delegation.ts';
import { keepable } from './audit-chain.ts';
import type { Tables } from './tables.ts';

export class PostgresDelegations implements DelegationBook {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async give({ id, from, to, role, fromAt, untilAt }: NewDelegation): Promise<void> {
    await this.#db
      .insertInto('delegations')
      .values({
        delegation_id: id,
        from_issuer: from.issuer,
        from_subject: from.subject,
        from_tenant: from.tenant ?? null,
        from_name: keepable(from.name),
        to_subject: to,
        role: role ?? null,
        from_at: new Date(fromAt),
        until_at: new Date(untilAt),
      })
      .execute();
  }

  async givenBy(from: SignedIn, at: number): Promise<readonly Delegation[]> {
    const rows = await this.#live(at)
      .where('from_issuer', '=', from.issuer)
      .where('from_subject', '=', from.subject)
      .where('from_tenant', 'is not distinct from', from.tenant ?? null)
      .execute();
    return rows.map(toDelegation);
  }

  async receivedBy({ issuer, subject, tenant }: SignedIn, at: number): Promise<readonly Delegation[]> {
    const rows = await this.#live(at)
      .where('to_subject', '=', subject)
      .where('from_issuer', '=', issuer)
      // Another organisation has other people of the same names.
      .where('from_tenant', 'is not distinct from', tenant ?? null)
      .execute();
    return rows.map(toDelegation);
  }

  async revoke(id: string, from: SignedIn): Promise<Delegation | undefined> {
    const row = await this.#db
      .updateTable('delegations')
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where('delegation_id', '=', id)
      .where('from_issuer', '=', from.issuer)
      .where('from_subject', '=', from.subject)
      .where('from_tenant', 'is not distinct from', from.tenant ?? null)
      .returningAll()
      .executeTakeFirst();
    return row && toDelegation(row);
  }

  #live(at: number) {
    return this.#db
      .selectFrom('delegations')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('until_at', '>', new Date(at))
      .orderBy('from_at')
      .orderBy('delegation_id');
  }
}

function toDelegation(row: Selectable<Tables['delegations']>): Delegation {
  return {
    id: row.delegation_id,
    from: {
      issuer: row.from_issuer,
      subject: row.from_subject,
      ...(row.from_tenant === null ? {} : { tenant: row.from_tenant }),
      name: row.from_name,
    },
    to: row.to_subject,
    ...(row.role === null ? {} : { role: row.role }),
    fromAt: row.from_at.getTime(),
    untilAt: row.until_at.getTime(),
    createdAt: row.created_at.getTime(),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at.getTime() }),
  };
}
