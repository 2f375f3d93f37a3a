/** The ways of docs/operations.md to keep a copy of the database, and to live on with nothing but that copy. */
import { execFile } from 'node:child_process';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseApiKey } from '../../../store/api-key-format.ts';
import { hashApiKeySecret } from '../../../store/api-key-hash.ts';
import { ApiKeys } from '../../../store/api-keys.ts';
import { readStoreConfig } from '../../../store/config.ts';
import { migrate, openMigrations } from '../../../store/migrate.ts';
import { openDatabase, type Database } from '../../../store/postgres.ts';
import { repositoryRoot } from '../../support/child.ts';
import { compiledEntry } from '../../support/compiled-entry.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { startTracked } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 120_000;
const run = promisify(execFile);
const pepper = randomBytes(32);
const wanted = { environment: 'test', subject: 'robot', scopes: ['tasks:read'] };
/** Those for which this machine has a pg_dump that is new enough: the packaged one comes without. */
const withTools = postgresKinds.filter(({ toolFolder }) => toolFolder !== undefined);

/** Does the store take this key for the one that it gave out? */
async function isKnown({ db }: Database, text: string, under: Buffer): Promise<boolean> {
  const { keyId, secret } = parseApiKey(text)!;
  const record = await new ApiKeys(db, under).find(keyId);
  return record !== undefined && timingSafeEqual(record.secretHash, hashApiKeySecret(under, secret));
}

/** The command that the document gives, with the folder of the tools before it. */
async function documented(tool: string, folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  const line = new RegExp(`^ {4}(${tool} .*?)(?: +#.*)?$`, 'm').exec(
    await readFile(`${repositoryRoot}docs/operations.md`, 'utf8'),
  )![1]!;
  await run('bash', ['-euo', 'pipefail', '-c', line], {
    env: { ...values, PATH: `${folder}:${process.env['PATH']!}` },
    cwd: values['FOLDER'],
  });
}

describe('a copy of the database', () => {
  it('is tried with pg_dump wherever a server stands beside its tools', () => {
    const installed = postgresKinds.filter(({ name }) => name.startsWith('installed'));
    expect(withTools).toEqual(expect.arrayContaining(installed));
  });

  it(
    'by pg_dump brings the keys back, and they still prove themselves',
    async () => {
      for (const kind of withTools) {
        const postgres = await startPostgres(kind);
        const url = await postgres.emptyDatabase();
        const folder = await temporaryFolder();
        const values = { DATABASE_URL: url, FOLDER: folder };
        await migrate(url);
        const before = openDatabase(url);
        const { text } = await new ApiKeys(before.db, pepper).create(wanted);
        await documented('pg_dump', kind.toolFolder!, values);
        await before.db.schema.dropTable('api_keys').execute();
        await before.db.schema.dropTable('kysely_migration').execute();
        await before.close();

        await documented('pg_restore', kind.toolFolder!, values);
        const after = openDatabase(url);
        atScopeEnd(after.close);
        expect(await isKnown(after, text, pepper)).toBe(true);
        expect(await isKnown(after, text, randomBytes(32))).toBe(false);
        expect(await openMigrations(after.db)).toEqual([]);
      }
    },
    TEST_MS,
  );

  it(
    'by the folder of the stopped Postgres of our own does so too',
    async () => {
      const dataDir = await temporaryFolder();
      const copy = join(await temporaryFolder(), 'copy');
      const start = () =>
        startTracked({
          name: 'npm run postgres',
          command: process.execPath,
          args: [compiledEntry('store/embedded-main.ts')],
          env: { DATA_DIR: dataDir },
          readyWithinMs: TEST_MS,
          isReady: (child) => child.output().includes('Postgres listens on'),
        });
      const open = async () => {
        const config = await readStoreConfig({ DATA_DIR: dataDir });
        return { database: openDatabase(config.databaseUrl!), pepper: config.pepper! };
      };
      const first = await start();
      const before = await open();
      const { text } = await new ApiKeys(before.database.db, before.pepper).create(wanted);
      await before.database.close();
      await first.end();
      await run('cp', ['-a', dataDir, copy]);
      await rm(dataDir, { recursive: true });

      await run('cp', ['-a', copy, dataDir]);
      await start();
      const after = await open();
      atScopeEnd(after.database.close);
      expect(await isKnown(after.database, text, after.pepper)).toBe(true);
    },
    TEST_MS,
  );
});
