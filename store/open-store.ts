import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from './migrate.ts';
import { openDatabase, type Database, type DatabaseOptions } from './postgres.ts';
import { StoreDown } from './store-down.ts';

export interface Store extends Database {
  /**
   * Resolves once the database has the schema of this version. Until then queries fail.
   * Rejects when a migration does, which no waiting mends; never for a database that is away.
   */
  readonly migrated: Promise<void>;
}

const RETRY_EVERY_MS = 2_000;

/**
 * The store of a front or a worker. Such a process starts before its database does: the schema is brought up to date as soon
 * as the database is there. `onDown` hears of each attempt that found it away.
 */
export function openStore(
  databaseUrl: string,
  onDown: (error: StoreDown) => void,
  options: DatabaseOptions = {},
): Store {
  const database = openDatabase(databaseUrl, options);
  const closed = new AbortController();
  const migrated = migrateOnceThere(databaseUrl, closed.signal, onDown);
  // Whoever does not look at it learns of a failed migration by their queries.
  migrated.catch(() => undefined);
  const close = async (): Promise<void> => {
    closed.abort();
    await database.close();
  };
  return { ...database, migrated, close };
}

async function migrateOnceThere(
  databaseUrl: string,
  closed: AbortSignal,
  onDown: (error: StoreDown) => void,
): Promise<void> {
  while (!closed.aborted) {
    try {
      await migrate(databaseUrl);
      return;
    } catch (error: unknown) {
      if (!(error instanceof StoreDown)) throw error;
      onDown(error);
    }
    await delay(RETRY_EVERY_MS, undefined, { signal: closed, ref: false }).catch(() => undefined);
  }
}
