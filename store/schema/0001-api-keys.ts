import { sql, type Kysely, type Migration } from 'kysely';

export const apiKeys: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('api_keys')
      .addColumn('key_id', 'text', (column) => column.primaryKey())
      .addColumn('secret_hash', 'bytea', (column) => column.notNull().check(sql`octet_length(secret_hash) = 32`))
      .addColumn('subject', 'text', (column) => column.notNull().check(sql`subject <> ''`))
      .addColumn('tenant', 'text', (column) => column.check(sql`tenant <> ''`))
      .addColumn('scopes', sql`text[]`, (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .execute();
  },
};
