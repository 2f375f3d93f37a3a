/** Reads the audit. */
import type { Kysely, Selectable } from 'kysely';
import type { AuditHead, AuditRow } from './audit-chain.ts';
import type { Tables } from './tables.ts';

const PAGE_ROWS = 1_000;

/** All rows, by their place in the chain. @throws StoreDown */
export async function* allRows(db: Kysely<Tables>): AsyncGenerator<AuditRow> {
  let after: bigint | undefined;
  for (;;) {
    let query = db.selectFrom('audit').selectAll().orderBy('id').limit(PAGE_ROWS);
    if (after !== undefined) query = query.where('id', '>', after);
    const rows = await query.execute();
    for (const row of rows) yield toRow(row);
    after = rows.at(-1)?.id;
    if (rows.length < PAGE_ROWS || after === undefined) return;
  }
}

/** In the order in which it happened; what others have told stands where its time puts it. @throws StoreDown */
export async function rowsOfTask(db: Kysely<Tables>, taskId: string): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('at')
    .orderBy('seq')
    .orderBy('id')
    .execute();
  return rows.map(toRow);
}

/** The oldest first. @throws StoreDown */
export async function allHeads(db: Kysely<Tables>): Promise<readonly AuditHead[]> {
  const rows = await db.selectFrom('audit_heads').selectAll().orderBy('at').execute();
  return rows.map(({ key_id: keyId, ...head }) => ({ ...head, keyId }));
}

function toRow(row: Selectable<Tables['audit']>): AuditRow {
  const { id, task_id: taskId, seq, at, type, about, by, data, key_id: keyId, prev_hash: prevHash, hash } = row;
  return { id, taskId, seq, at, type, about, by, data, keyId, prevHash, hash };
}

/** Of these tasks the ones that have told their end. @throws StoreDown */
export async function tasksEnded(db: Kysely<Tables>, taskIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (taskIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('audit')
    .select('task_id')
    .where('task_id', 'in', [...new Set(taskIds)])
    .where('type', '=', 'ended')
    .execute();
  return new Set(rows.map(({ task_id: taskId }) => taskId));
}
