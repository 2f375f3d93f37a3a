import { sql, type Kysely, type Migration } from 'kysely';

export const delegations: Migration = {
  up: async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .createTable('delegations')
      .addColumn('delegation_id', 'text', (column) => column.primaryKey())
      // Not the hashes of the delegator: those change with PRINCIPAL_KEY, and nobody may become a stranger to their own request.
      .addColumn('from_issuer', 'text', (column) => column.notNull())
      .addColumn('from_subject', 'text', (column) => column.notNull())
      .addColumn('from_tenant', 'text')
      .addColumn('from_name', 'text', (column) => column.notNull())
      .addColumn('to_subject', 'text', (column) => column.notNull())
      .addColumn('role', 'text')
      .addColumn('from_at', 'timestamptz', (column) => column.notNull())
      .addColumn('until_at', 'timestamptz', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('revoked_at', 'timestamptz')
      .execute();
    await db.schema.createIndex('delegations_to').on('delegations').column('to_subject').execute();
    await db.schema.createIndex('delegations_from').on('delegations').column('from_subject').execute();
  },
};
