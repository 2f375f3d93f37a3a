import { sql, type Kysely, type Migration } from 'kysely';

export const approvals: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('approvals')
      .addColumn('approval_id', 'text', (column) => column.primaryKey())
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('amount', 'text')
      .addColumn('requested_by', 'text', (column) => column.notNull())
      .addColumn('roles', sql`text[]`, (column) => column.notNull())
      .addColumn('people', sql`text[]`, (column) => column.notNull())
      .addColumn('opened_at', 'timestamptz', (column) => column.notNull())
      .addColumn('due_at', 'timestamptz', (column) => column.notNull())
      .addColumn('claimed_by', 'text')
      .addColumn('closed_at', 'timestamptz')
      .addColumn('queued_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('organisation', 'text')
      .execute();
    await db.schema.createIndex('approvals_due').on('approvals').columns(['due_at', 'approval_id']).execute();
    await db.schema.createIndex('approvals_roles').on('approvals').using('gin').column('roles').execute();
    await db.schema.createIndex('approvals_people').on('approvals').using('gin').column('people').execute();
  },
};
