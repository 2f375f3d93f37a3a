/**
 * Brings a database to the schema of this version. Any number of processes may try at once: one works under a lock of the
 * database, the others wait for it and find nothing left to do.
 *
 * A migration only adds, so that processes of the version before go on beside this one.
 */
import { Migrator, sql, type Kysely, type Migration } from 'kysely';
import { openDatabase } from './postgres.ts';
import { apiKeys } from './schema/0001-api-keys.ts';
import { rateLimits } from './schema/0002-rate-limits.ts';
import { approvals } from './schema/0003-approvals.ts';
import { audit } from './schema/0004-audit.ts';
import { notices } from './schema/0005-notices.ts';
import { delegations } from './schema/0006-delegations.ts';
import { approvalChanges } from './schema/0007-approval-changes.ts';
import type { Tables } from './tables.ts';

/** By name, in the order in which they are applied. What has been released is never renamed or edited. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-api-keys': apiKeys,
  '0002-rate-limits': rateLimits,
  '0003-approvals': approvals,
  '0004-audit': audit,
  '0005-notices': notices,
  '0006-delegations': delegations,
  '0007-approval-changes': approvalChanges,
};

/** A migration may take longer than a query of a request, and may have to wait for that of another process. */
const ANSWER_WITHIN_MS = 120_000;

/** @throws StoreDown, or what a migration threw; then nothing of the open migrations is applied */
export async function migrate(databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1, answerWithinMs: ANSWER_WITHIN_MS });
  try {
    // A newer version may have been here; its database serves this one too, which the migrator would not believe.
    if ((await openMigrations(db)).length === 0) return;
    const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
    const { error } = await migrator.migrateToLatest();
    if (error instanceof Error) throw error;
  } finally {
    await close().catch(() => undefined);
  }
}

/**
 * The names of the migrations that have yet to be applied.
 * @throws StoreDown
 */
export async function openMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const applied = await appliedMigrations(db);
  return Object.keys(MIGRATIONS).filter((name) => !applied.has(name));
}

async function appliedMigrations(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (tables[0]?.found !== true) return new Set();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
