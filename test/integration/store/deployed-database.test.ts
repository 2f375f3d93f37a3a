/** What docker-compose.yml runs beside its Postgres, on a Postgres without containers. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { migrate, openMigrations } from '../../../store/migrate.ts';
import { openDatabase } from '../../../store/postgres.ts';
import { repositoryRoot } from '../../support/child.ts';
import { postgresKinds, startPostgres, superuserEnvironment } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 60_000;
/** Those beside which this machine has a psql. */
const kinds = postgresKinds.filter(({ toolFolder }) => toolFolder !== undefined);

describe('deploy/store-database.sh', () => {
  it('is tried wherever a server stands beside its tools', () => {
    const installed = postgresKinds.filter(({ name }) => name.startsWith('installed'));
    expect(kinds).toEqual(expect.arrayContaining(installed));
  });

  it(
    'makes a database that takes our tables, whether or not it has run before, and takes a new password',
    async () => {
      for (const kind of kinds) {
        const postgres = await startPostgres(kind);
        const { PGPASSWORD: superuserPassword, ...superuser } = superuserEnvironment(postgres);
        const folder = await temporaryFolder();
        const [passwordFile, superuserFile] = [join(folder, 'password'), join(folder, 'superuser')];
        await writeFile(superuserFile, `${superuserPassword!}\n`);
        for (const password of ['one', 'one', "tw'o"]) {
          await writeFile(passwordFile, `${password}\n`);
          await promisify(execFile)('sh', [`${repositoryRoot}deploy/store-database.sh`], {
            env: {
              ...superuser,
              SUPERUSER_PASSWORD_FILE: superuserFile,
              PASSWORD_FILE: passwordFile,
              PATH: `${kind.toolFolder!}:${process.env['PATH']!}`,
            },
          });
          const url = `postgres://mcp:${encodeURIComponent(password)}@127.0.0.1:${String(postgres.port)}/mcp`;
          await migrate(url);
          const database = openDatabase(url);
          atScopeEnd(database.close);
          expect(await openMigrations(database.db)).toEqual([]);
          const { rows } = await sql`select rolsuper from pg_roles where rolname = current_user`.execute(database.db);
          expect(rows).toEqual([{ rolsuper: false }]);
        }
      }
    },
    TEST_MS,
  );
});
