import { sql, type Kysely, type Migration } from 'kysely';

export const approvalChanges: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('approvals')
      .addColumn('changed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await db.schema.createIndex('approvals_changed').on('approvals').column('changed_at').execute();
    // A trigger, so that the processes of the version before tell of their changes too.
    await sql`
      create function note_approval_change() returns trigger language plpgsql as $$
      begin
        new.changed_at := clock_timestamp();
        return new;
      end $$`.execute(db);
    await sql`
      create trigger approval_changed before insert or update on approvals
      for each row execute function note_approval_change()`.execute(db);
  },
};
