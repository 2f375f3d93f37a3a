/** Finds what somebody without the key has done to the audit. */
import { sql, type Kysely } from 'kysely';
import type { AuditKey, AuditKeys } from '../protocol/audit-key.ts';
import { CHAIN_START, isGenuineHead, isGenuineRow, type AuditRow } from './audit-chain.ts';
import { allHeads, allRows } from './audit-rows.ts';
import type { Tables } from './tables.ts';

/** A head that was written down elsewhere. */
export interface NotedHead {
  readonly id: bigint;
  readonly hash: string;
}

export interface AuditFindings {
  readonly rows: number;
  readonly heads: number;
  readonly last: Pick<AuditRow, 'id' | 'hash'>;
  /** Sentences. None: it is whole. */
  readonly problems: readonly string[];
}

/** After so many there is nothing more to learn. */
const MAX_PROBLEMS = 50;

/** @throws StoreDown */
export async function checkAudit(db: Kysely<Tables>, keys: AuditKeys, noted?: NotedHead): Promise<AuditFindings> {
  const problems: string[] = [];
  const heads = await allHeads(db);
  const wanted = [...heads, ...(noted === undefined ? [] : [noted])];
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const hashes = new Map<bigint, string>();
  let rows = 0;
  let last = CHAIN_START;
  for await (const row of allRows(db)) {
    rows += 1;
    if (problems.length < MAX_PROBLEMS) problems.push(...problemsOf(row, last, keys));
    if (wantedIds.has(row.id)) hashes.set(row.id, row.hash);
    last = row;
  }
  for (const head of heads) {
    const key = keyOf(keys, head.keyId);
    const when = `The head of ${head.at.toISOString()}`;
    if (key === undefined) problems.push(`${when} is signed with key ${head.keyId}, which is not at hand.`);
    else if (!isGenuineHead(key, head)) problems.push(`${when} is not one that was signed.`);
  }
  for (const { id, hash } of wanted) {
    const found = hashes.get(id);
    if (found === undefined) problems.push(`Row ${String(id)} was the last one once, and is gone.`);
    else if (found !== hash) problems.push(`Row ${String(id)} is not the one that was signed as the last one.`);
  }
  problems.push(...(await missingActs(db)));
  return { rows, heads: heads.length, last, problems: problems.slice(0, MAX_PROBLEMS) };
}

function problemsOf(row: AuditRow, before: Pick<AuditRow, 'id' | 'hash'>, keys: AuditKeys): readonly string[] {
  const name = `Row ${String(row.id)} (task ${row.taskId}, ${row.type})`;
  const missing = row.id - before.id - 1n;
  const gap = missing === 1n ? [`Row ${String(row.id - 1n)} is gone.`] : [];
  const gaps = missing > 1n ? [`Rows ${String(before.id + 1n)} to ${String(row.id - 1n)} are gone.`] : gap;
  const key = keyOf(keys, row.keyId);
  if (key === undefined) return [...gaps, `${name} is chained with key ${row.keyId}, which is not at hand.`];
  if (!isGenuineRow(key, row)) return [...gaps, `${name} was changed, or added by somebody without the key.`];
  if (gaps.length === 0 && row.prevHash !== before.hash) {
    return [`${name} does not follow row ${String(before.id)}: that one is not what it was.`];
  }
  return gaps;
}

function keyOf(keys: AuditKeys, id: string): AuditKey | undefined {
  return keys.find((key) => key.id === id);
}

/** What the chain cannot tell: rows that were taken from its end before the next one was written. */
async function missingActs(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ task_id: string; count: number; next: number }>`
    select task_id, count(distinct seq)::int as count, max(seq) + 1 as next from audit
    where seq is not null group by task_id having count(distinct seq) <> max(seq) + 1
    order by task_id limit ${MAX_PROBLEMS}`.execute(db);
  return rows.map(
    ({ task_id: taskId, count, next }) =>
      `Task ${taskId} has told ${String(next)} acts or more, and ${String(next - count)} of them are missing: ` +
      'taken away, or still on their way after the database was away.',
  );
}
