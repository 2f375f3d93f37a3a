/** The queue of approvals as a table: fast to list, never believed, made anew from the tasks whenever it is lost. */
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { Approval } from '../protocol/approval.ts';
import type { ApprovalQueue, Asked, QueuedApproval } from '../protocol/approval-queue.ts';
import { keepable } from './audit-chain.ts';
import type { Tables } from './tables.ts';

/** A row is there a moment before its task shows what it waits for: who looks in between must not take it for stale. */
const SETTLES_WITHIN_S = 10;

/** Where an approval belongs. */
export interface QueuePlace {
  readonly workflowId: string;
  readonly tool: string;
}

/** Every method throws a StoreDown when the database is out of reach. */
export class PostgresApprovalQueue implements ApprovalQueue {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(
    { subjects, roles, organisation }: Asked,
    { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<readonly QueuedApproval[]> {
    const forRole = sql<SqlBool>`roles && ${[...roles]}::text[]`;
    const byName = sql<SqlBool>`people && ${[...subjects]}::text[]`;
    let query = this.#db
      .selectFrom('approvals')
      .selectAll()
      .where('closed_at', 'is', null)
      .where('organisation', 'is not distinct from', organisation ?? null)
      .where((eb) => eb.or([forRole, byName]));
    if (after !== undefined) {
      query = query.where(
        sql<SqlBool>`(due_at, approval_id) > (select due_at, approval_id from approvals where approval_id = ${after})`,
      );
    }
    const rows = await query.orderBy('due_at').orderBy('approval_id').limit(limit).execute();
    return rows.map(toQueued);
  }

  async find(approvalId: string): Promise<QueuedApproval | undefined> {
    const row = await this.#db
      .selectFrom('approvals')
      .selectAll()
      .where('approval_id', '=', approvalId)
      .executeTakeFirst();
    return row && toQueued(row);
  }

  async claim(approvalId: string, subject: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('approvals')
      .set({ claimed_by: subject })
      .where('approval_id', '=', approvalId)
      .where('closed_at', 'is', null)
      .where((eb) => eb.or([eb('claimed_by', 'is', null), eb('claimed_by', '=', subject)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async release(approvalId: string, subject: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('approvals')
      .set({ claimed_by: null })
      .where('approval_id', '=', approvalId)
      .where('claimed_by', '=', subject)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async remove(approvalId: string): Promise<void> {
    await this.#db
      .updateTable('approvals')
      .set({ closed_at: sql<Date>`coalesce(closed_at, now())` })
      .where('approval_id', '=', approvalId)
      .where(sql<SqlBool>`queued_at < now() - make_interval(secs => ${SETTLES_WITHIN_S})`)
      .execute();
  }

  /** As its task tells. */
  async close(approvalId: string): Promise<void> {
    await this.#db
      .updateTable('approvals')
      .set({ closed_at: sql<Date>`coalesce(closed_at, now())` })
      .where('approval_id', '=', approvalId)
      .execute();
  }

  /** Something that the row does not hold is new, such as a vote. */
  async touch(approvalId: string): Promise<void> {
    await this.#db
      .updateTable('approvals')
      .set({ changed_at: sql<Date>`clock_timestamp()` })
      .where('approval_id', '=', approvalId)
      .execute();
  }

  /** Also one that was removed; a claim stays. @returns whether the row was not like that before */
  async put({ workflowId, tool }: QueuePlace, approval: Approval): Promise<boolean> {
    const row = {
      workflow_id: workflowId,
      tool,
      title: keepable(approval.title),
      amount: approval.amount === undefined ? null : keepable(approval.amount),
      organisation: approval.requester?.organisation ?? null,
      requested_by: keepable(approval.requestedBy),
      roles: keepable([...approval.roles]),
      people: keepable([...approval.people]),
      opened_at: new Date(approval.openedAt),
      due_at: new Date(approval.dueAt),
      closed_at: null,
    };
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(`approvals.${name}`)));
    const values = sql.join(Object.keys(row).map((name) => sql.ref(`excluded.${name}`)));
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('approvals')
      .values({ approval_id: approval.id, ...row })
      .onConflict((conflict) =>
        conflict
          .column('approval_id')
          .doUpdateSet(row)
          .where(sql<SqlBool>`(${columns}) is distinct from (${values})`),
      )
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Where what is in the queue belongs, for whoever checks it; in no order. */
  async places(): Promise<readonly (QueuePlace & { readonly approvalId: string })[]> {
    return this.#db
      .selectFrom('approvals')
      .select(['approval_id as approvalId', 'workflow_id as workflowId', 'tool'])
      .where('closed_at', 'is', null)
      .execute();
  }

  /** Forgets those that were removed before `removedBefore`. */
  async forget(removedBefore: Date): Promise<void> {
    await this.#db.deleteFrom('approvals').where('closed_at', '<', removedBefore).execute();
  }
}

function toQueued(row: Selectable<Tables['approvals']>): QueuedApproval {
  return {
    approvalId: row.approval_id,
    workflowId: row.workflow_id,
    tool: row.tool,
    title: row.title,
    amount: row.amount ?? undefined,
    requestedBy: row.requested_by,
    requester: row.organisation === null ? {} : { organisation: row.organisation },
    roles: row.roles,
    people: row.people,
    openedAt: row.opened_at,
    dueAt: row.due_at,
    claimedBy: row.claimed_by ?? undefined,
  };
}
