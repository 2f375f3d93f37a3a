import pg from 'pg';

/** What one query of a database gives, over a connection of its own. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  query: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    return (await owner.query<Row>(query, [...values])).rows;
  } finally {
    await owner.end();
  }
}
