/** Which approvals have changed of late. */
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { ApprovalChange, ApprovalChanges } from '../protocol/approval-queue.ts';
import type { Tables } from './tables.ts';

/** Longer than a transaction takes from its writes to its end: until then nobody sees them, and they are as old by then. */
const WINDOW_S = 15;

export class PostgresApprovalChanges implements ApprovalChanges {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async recent(): Promise<readonly ApprovalChange[]> {
    const rows = await this.#db
      .selectFrom('approvals')
      // As text: a Date would drop the microseconds.
      .select(['approval_id', 'organisation', 'roles', 'people', sql<string>`changed_at::text`.as('changed_at')])
      .where(sql<SqlBool>`changed_at > now() - make_interval(secs => ${WINDOW_S})`)
      .execute();
    return rows.map(({ approval_id: approvalId, organisation, roles, people, changed_at: at }) => ({
      approvalId,
      roles,
      people,
      requester: organisation === null ? {} : { organisation },
      changeId: `${approvalId} ${at}`,
    }));
  }
}
