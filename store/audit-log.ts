/**
 * The audit, as it is written: one row an act, each once, in a chain that a single writer at a time goes on with. The queue of
 * approvals and what people are told follow the acts in the same transaction: an act that is told again, however late, changes
 * nothing.
 */
import canonicalize from 'canonicalize';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Act, ActBatch, OutsideAct } from '../protocol/act.ts';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { noticesOf } from '../protocol/notices-of.ts';
import { PostgresApprovalQueue } from './approval-queue.ts';
import { CHAIN_START, chained, keepable, type AuditEntry, type AuditRow } from './audit-chain.ts';
import { GroupCommit } from './group-commit.ts';
import { keepNotices, type KeptNotice } from './notice-outbox.ts';
import type { Tables } from './tables.ts';

/** Of the database as a whole: no other lock of ours has this number. */
const WRITER_LOCK = 7_361_904_211;

type Item = { readonly batch: ActBatch } | { readonly outside: OutsideAct };

export class AuditLog {
  readonly #db: Kysely<Tables>;
  readonly #keys: AuditKeys;
  readonly #commits = new GroupCommit<Item>((items) => this.#write(items));

  constructor(db: Kysely<Tables>, keys: AuditKeys) {
    this.#db = db;
    this.#keys = keys;
  }

  /** What a task tells of itself. @throws StoreDown */
  record(batch: ActBatch): Promise<void> {
    return this.#commits.add({ batch });
  }

  /** What somebody else tells. The same type and `about` of a task is written once. @throws StoreDown */
  append(outside: OutsideAct): Promise<void> {
    return this.#commits.add({ outside });
  }

  async #write(items: readonly Item[]): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await lockAudit(transaction);
      const fresh = await withoutKnown(transaction, items.flatMap(entriesOf));
      if (fresh.length === 0) return;
      const rows = chained(fresh, await lastRow(transaction), this.#keys);
      await transaction.insertInto('audit').values(rows.map(toColumns)).execute();
      const written = new Map(rows.map((row) => [identity(row), row.id]));
      for (const item of items) if ('batch' in item) await follow(transaction, item.batch, written);
      await keepNotices(
        transaction,
        items.flatMap((item) => ('batch' in item ? noticesIn(item.batch, written) : [])),
      );
    });
  }
}

/** Until the transaction ends nobody else adds to the audit, and nothing is under way that does. */
export async function lockAudit(transaction: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${WRITER_LOCK}::bigint)`.execute(transaction);
}

export async function lastRow(db: Kysely<Tables>): Promise<Pick<AuditRow, 'id' | 'hash'>> {
  const last = await db.selectFrom('audit').select(['id', 'hash']).orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last ?? CHAIN_START;
}

function entriesOf(item: Item): readonly AuditEntry[] {
  if ('outside' in item) return [toEntry(item.outside.taskId, item.outside)];
  return item.batch.acts.map((act) => toEntry(item.batch.task.taskId, act));
}

function toEntry(taskId: string, act: Act | OutsideAct): AuditEntry {
  return {
    taskId,
    seq: 'seq' in act ? act.seq : null,
    at: new Date(act.at),
    type: act.type,
    about: keepable(act.about),
    by: act.by === undefined ? null : keepable(act.by),
    data: keepable(act.data),
  };
}

/** By what an act is told from all others: after a reset another branch has other acts under the same numbers. */
function identity({ taskId, seq, type, about, by, data }: Omit<AuditEntry, 'at'>): string {
  return JSON.stringify([taskId, seq, type, about, by, canonicalize(data)]);
}

async function withoutKnown(db: Kysely<Tables>, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  if (entries.length === 0) return [];
  const tasks = [...new Set(entries.map(({ taskId }) => taskId))];
  const abouts = [...new Set(entries.map(({ about }) => about))];
  const known = await db
    .selectFrom('audit')
    .select(['task_id as taskId', 'seq', 'type', 'about', 'by', 'data'])
    .where('task_id', 'in', tasks)
    .where('about', 'in', abouts)
    .execute();
  const seen = new Set(known.map(identity));
  return entries.filter((entry) => {
    const name = identity(entry);
    return !seen.has(name) && seen.add(name);
  });
}

function toColumns({ id, taskId, seq, at, type, about, by, data, keyId, prevHash, hash }: AuditRow) {
  const text = JSON.stringify(data);
  return { id, task_id: taskId, seq, at, type, about, by, data: text, key_id: keyId, prev_hash: prevHash, hash };
}

async function follow(db: Kysely<Tables>, { task, acts, queue: open }: ActBatch, written: ReadonlyMap<string, bigint>) {
  const queue = new PostgresApprovalQueue(db);
  for (const act of acts) {
    if (!written.has(identity(toEntry(task.taskId, act)))) continue;
    const approvalId = act.data['approval'];
    if (typeof approvalId !== 'string') continue;
    if (act.type === 'approval_decided') await queue.close(approvalId);
    if (act.type === 'voted') await queue.touch(approvalId);
    if (act.type !== 'approval_requested' && act.type !== 'escalated') continue;
    const approval = open.find(({ id }) => id === approvalId);
    if (approval !== undefined) await queue.put(task, approval);
  }
}

function noticesIn({ task, acts, queue: open }: ActBatch, written: ReadonlyMap<string, bigint>): readonly KeptNotice[] {
  return acts.flatMap((act) => {
    const auditId = written.get(identity(toEntry(task.taskId, act)));
    if (auditId === undefined) return [];
    return noticesOf(act, task, open).map((notice) => ({ ...notice, taskId: task.taskId, seq: act.seq, auditId }));
  });
}
