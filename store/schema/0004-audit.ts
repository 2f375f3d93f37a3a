import { sql, type Kysely, type Migration } from 'kysely';

export const audit: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('audit')
      // Given by whoever writes, under a lock: a gap is a row that is gone.
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('task_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer')
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('by', 'text')
      .addColumn('data', 'jsonb', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      // A row has one successor, whoever writes it.
      .addColumn('prev_hash', 'text', (column) => column.notNull().unique())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute();
    await sql`
      create unique index audit_act on audit
        (task_id, coalesce(seq, -1), type, md5(about), md5(coalesce(by, '')), md5(data::text))`.execute(db);
    await db.schema
      .createTable('audit_heads')
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('signature', 'text', (column) => column.notNull())
      .execute();
    await sql`
      create function audit_refuse() returns trigger language plpgsql as
      $$ begin raise exception 'The audit is only ever added to.'; end $$`.execute(db);
    for (const table of ['audit', 'audit_heads']) {
      await sql`
        create trigger append_only before update or delete or truncate on ${sql.table(table)}
        for each statement execute function audit_refuse()`.execute(db);
    }
  },
};
