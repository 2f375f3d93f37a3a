import { sql, type Kysely, type Migration } from 'kysely';
import { RATE_LIMITS_TABLE } from '../rate-limits-table.ts';

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
