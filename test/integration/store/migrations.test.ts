import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { migrate, openMigrations } from '../../../store/migrate.ts';
import { openStore } from '../../../store/open-store.ts';
import { openDatabase, type Database } from '../../../store/postgres.ts';
import type { StoreDown } from '../../../store/store-down.ts';
import { compiledEntry } from '../../support/compiled-entry.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startTracked } from '../../support/processes.ts';
import { createRelay } from '../../support/relay.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 60_000;
const MIGRATIONS = [
  '0001-api-keys',
  '0002-rate-limits',
  '0003-approvals',
  '0004-audit',
  '0005-notices',
  '0006-delegations',
  '0007-approval-changes',
];

function opened(url: string): Database {
  const database = openDatabase(url);
  atScopeEnd(database.close);
  return database;
}

async function appliedTo({ db }: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

describe.each(postgresKinds)('the schema on $name', (kind) => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres(kind);
  }, TEST_MS);

  it(
    'is made once by four processes that start at the same time',
    async () => {
      const url = await postgres.emptyDatabase();
      const env = { DATABASE_URL: url, API_KEY_PEPPER: randomBytes(32).toString('hex') };
      const processes = await Promise.all(
        Array.from({ length: 4 }, (_, number) =>
          startTracked({
            name: `keys ${String(number)}`,
            command: process.execPath,
            args: [compiledEntry('store/keys-main.ts'), 'list'],
            env,
            isReady: () => true,
          }),
        ),
      );
      const ends = await Promise.all(
        processes.map(async (child) => ({ ...(await child.exited), said: child.output().trim() })),
      );
      expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, said: 'There are no API keys.' })));
      const database = opened(url);
      expect(await appliedTo(database)).toEqual(MIGRATIONS);
      expect(await openMigrations(database.db)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'is left alone when a newer version has been there',
    async () => {
      const url = await postgres.emptyDatabase();
      await migrate(url);
      const database = opened(url);
      await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999')`.execute(database.db);
      await migrate(url);
      expect(await appliedTo(database)).toEqual([...MIGRATIONS, '9999-later']);
    },
    TEST_MS,
  );

  it(
    'is as it was when a migration fails half-way',
    async () => {
      const url = await postgres.emptyDatabase();
      const database = opened(url);
      await sql`create table api_keys (other int)`.execute(database.db);
      await expect(migrate(url)).rejects.toThrow('already exists');
      expect(await openMigrations(database.db)).toEqual(MIGRATIONS);
      await sql`drop table api_keys`.execute(database.db);
      await migrate(url);
      expect(await openMigrations(database.db)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'is made as soon as the database is there, for a process that started before it',
    async () => {
      const relay = await createRelay(postgres.port);
      atScopeEnd(() => relay.close());
      await relay.refuse();
      const told: StoreDown[] = [];
      const url = Object.assign(new URL(await postgres.emptyDatabase()), { port: String(relay.port) }).href;
      const store = openStore(url, (error) => told.push(error));
      atScopeEnd(store.close);
      await eventually(() => told.length > 0);
      expect(told[0]).toMatchObject({ name: 'StoreDown' });
      await relay.restore();
      await store.migrated;
      expect(await openMigrations(store.db)).toEqual([]);
    },
    TEST_MS,
  );
});
