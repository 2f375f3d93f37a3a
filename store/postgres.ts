/** The connections of one process to Postgres, 15 or newer. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { guardedPool } from './guarded-pool.ts';
import type { Tables } from './tables.ts';

export interface Database {
  /** Its queries throw a StoreDown when the connection is the cause. */
  readonly db: Kysely<Tables>;
  /** The same connections, for a library that brings its own SQL. Its errors are those of the driver. */
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** Default 10. */
  readonly maxConnections?: number;
  /** Until a connection is there, be it a new one or one that another query gives back. Default 3,000. */
  readonly connectWithinMs?: number;
  /** Until a statement has ended. Default 5,000. */
  readonly answerWithinMs?: number;
}

const INT8_OID = 20;
/** Above the server's own limit, so that a server that still runs ends the statement itself. */
const SILENCE_BEYOND_MS = 1_000;
const IDLE_CONNECTION_MS = 30_000;

/** Connects when it is first used; a database that is not there yet is a StoreDown of that query. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions = {}): Database {
  const { maxConnections = 10, connectWithinMs = 3_000, answerWithinMs = 5_000 } = options;
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, BigInt);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'durable-mcp-tasks',
    max: maxConnections,
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: answerWithinMs,
    query_timeout: answerWithinMs + SILENCE_BEYOND_MS,
    idle_in_transaction_session_timeout: 2 * answerWithinMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    // What has nothing else to do may end.
    allowExitOnIdle: true,
    types,
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) });
  // Without a query Kysely has not met its pool, and would not end it.
  const close = async (): Promise<void> => {
    await db.destroy();
    if (!pool.ended && !pool.ending) await pool.end();
  };
  return { db, pool, close };
}
