import pg from 'pg';

/** The types of the acts that a task has told, in their order. */
export async function toldActs(databaseUrl: string, taskId: string): Promise<readonly string[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const told = 'select type from audit where task_id = $1 and seq is not null order by seq';
  const { rows } = await owner.query<{ type: string }>(told, [taskId]);
  await owner.end();
  return rows.map(({ type }) => type);
}
