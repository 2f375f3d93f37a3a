import { rowsOf } from './database-rows.ts';

/** The types of the acts that a task has told, in their order. */
export async function toldActs(databaseUrl: string, taskId: string): Promise<readonly string[]> {
  const told = 'select type from audit where task_id = $1 and seq is not null order by seq';
  return (await rowsOf<{ type: string }>(databaseUrl, told, [taskId])).map(({ type }) => type);
}
