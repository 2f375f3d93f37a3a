import { sql, type Kysely, type Migration } from 'kysely';

/** Its columns, and their order, are those of the library that counts in it. */
export const RATE_LIMITS_TABLE = 'rate_limits';

export const rateLimits: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable(RATE_LIMITS_TABLE)
      // Counts of a minute: after a crash of the database they begin anew, and no write waits for the disk.
      .modifyFront(sql`unlogged`)
      .addColumn('key', sql`varchar(255)`, (column) => column.primaryKey())
      .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
  },
};
