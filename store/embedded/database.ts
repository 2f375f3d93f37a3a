/** Our database in the server, and a role that owns it and nothing else. */
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { HOST } from './postmaster.ts';

const NAME = 'mcp';

/** Makes what is missing. @returns the URL of the database, with the role's password in it */
export async function prepareDatabase(
  port: number,
  passwords: { readonly superuser: string; readonly role: string },
): Promise<string> {
  const client = new pg.Client({
    host: HOST,
    port,
    user: SUPERUSER,
    password: passwords.superuser,
    database: 'postgres',
  });
  // It may end at any time; the query that is running says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const role = await client.query('select from pg_roles where rolname = $1', [NAME]);
    const verb = role.rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role ${NAME} login password ${client.escapeLiteral(passwords.role)}`);
    const database = await client.query('select from pg_database where datname = $1', [NAME]);
    if (database.rowCount === 0) await client.query(`create database ${NAME} owner ${NAME}`);
  } finally {
    await client.end();
  }
  return `postgres://${NAME}:${encodeURIComponent(passwords.role)}@${HOST}:${String(port)}/${NAME}`;
}
