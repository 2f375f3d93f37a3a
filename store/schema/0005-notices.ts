import { sql, type Kysely, type Migration } from 'kysely';

export const notices: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('notices')
      .addColumn('notice_id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
      .addColumn('task_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      // The row of the audit that it comes from: what stands behind that one may have ended it.
      .addColumn('audit_id', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('addressee', 'text')
      .addColumn('details', 'jsonb', (column) => column.notNull())
      .addColumn('due_at', 'timestamptz', (column) => column.notNull())
      .addColumn('next_at', 'timestamptz', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('done_at', 'timestamptz')
      .addColumn('made_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    // A run that was reset may tell another act under the same number.
    await sql`
      create unique index notices_once on notices (task_id, seq, kind, audit_id, channel, coalesce(addressee, ''))`.execute(
      db,
    );
    await sql`create index notices_next on notices (channel, next_at) where done_at is null`.execute(db);
    await db.schema.createIndex('notices_made').on('notices').column('made_at').execute();
  },
};
