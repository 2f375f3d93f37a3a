/** Postgres servers for tests, real ones: the packaged one and, where this machine has one, its own. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findOnPath } from '../../scripts/find-on-path.js';
import { createCluster, SUPERUSER } from '../../store/embedded/cluster.ts';
import { databaseUser } from '../../store/embedded/database-user.ts';
import { prepareDatabase } from '../../store/embedded/database.ts';
import { HOST, startPostmaster, type Postmaster } from '../../store/embedded/postmaster.ts';
import { findPrograms, type Programs } from '../../store/embedded/programs.ts';
import { freePort } from './free-port.ts';
import { onceInARun } from './once-in-a-run.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { atScopeEnd } from './scope.ts';

export interface PostgresKind {
  /** Such as `packaged Postgres 18`. */
  readonly name: string;
  readonly programs: Programs;
  /** The folder of a `pg_dump` and `pg_restore` that are as new as the server. */
  readonly toolFolder: string | undefined;
}

export interface TestPostgres {
  /** The URL of a new, empty database. */
  emptyDatabase(): Promise<string>;
  readonly port: number;
  /** Where its files are. */
  readonly folder: string;
  /** To the server process and nobody else. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves once it is gone, after a signal that ends it. */
  readonly ended: () => Promise<void>;
  /** On the same port and files. */
  restart(): Promise<void>;
}

const SUPERUSER_PASSWORD = 'superuser-of-the-tests';
const ROLE_PASSWORD = 'role-of-the-tests';

/** Never empty. Tests run on each of them. */
export const postgresKinds: readonly PostgresKind[] = [await packaged(), ...ofThisMachine()];

async function packaged(): Promise<PostgresKind> {
  const programs = await findPrograms();
  return {
    name: `packaged Postgres ${String(versionOf(programs.postgres))}`,
    programs,
    toolFolder: toolsFor(programs),
  };
}

function ofThisMachine(): readonly PostgresKind[] {
  const usual = '/usr/lib/postgresql';
  const installed = existsSync(usual) ? readdirSync(usual).map((version) => join(usual, version, 'bin')) : [];
  const onPath = findOnPath('postgres');
  const folders = onPath === undefined ? installed : [dirname(realpathSync(onPath)), ...installed];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (found === undefined) return [];
  const programs = { initdb: join(found, 'initdb'), postgres: join(found, 'postgres') };
  return [
    { name: `installed Postgres ${String(versionOf(programs.postgres))}`, programs, toolFolder: toolsFor(programs) },
  ];
}

function toolsFor({ postgres }: Programs): string | undefined {
  const onPath = findOnPath('pg_dump');
  const folders = [dirname(postgres), ...(onPath === undefined ? [] : [dirname(onPath)])];
  return folders.find((folder) => {
    const dump = join(folder, 'pg_dump');
    return existsSync(dump) && versionOf(dump) >= versionOf(postgres);
  });
}

function versionOf(program: string): number {
  return Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1]);
}

/** On a free port and a folder of its own; it ends with the test or file that started it. */
export async function startPostgres({ name, programs }: PostgresKind): Promise<TestPostgres> {
  const dataDir = await temporaryFolder();
  const folder = join(dataDir, 'postgres');
  const port = await freePort();
  const user = await databaseUser(dataDir, dirname(programs.postgres));
  await copyOf(await emptyCluster(name, programs), folder);
  let log = '';
  const launch = async (): Promise<Postmaster> => {
    const started = startPostmaster(programs.postgres, { folder, port, user, say: (line) => (log += `${line}\n`) });
    await started.ready.catch((error: unknown) => {
      throw new Error(`Postgres did not start. It had said:\n${log}`, { cause: error });
    });
    return started;
  };
  let postmaster = await launch();
  atScopeEnd(async () => {
    process.kill(postmaster.pid, 'SIGCONT');
    postmaster.stop();
    await postmaster.exited;
  });
  const passwords = { superuser: SUPERUSER_PASSWORD, role: ROLE_PASSWORD };
  let databaseCount = 0;
  const emptyDatabase = async (): Promise<string> => {
    const first = await prepareDatabase(port, passwords);
    databaseCount += 1;
    const database = `empty_${String(databaseCount)}`;
    const { username } = new URL(first);
    const client = new pg.Client({
      host: HOST,
      port,
      user: SUPERUSER,
      password: SUPERUSER_PASSWORD,
      database: 'postgres',
    });
    await client.connect();
    try {
      await client.query(`create database ${database} owner ${username}`);
    } finally {
      await client.end();
    }
    return Object.assign(new URL(first), { pathname: `/${database}` }).href;
  };
  return {
    emptyDatabase,
    port,
    folder,
    signal: (signal) => {
      process.kill(postmaster.pid, signal);
    },
    ended: async () => {
      await postmaster.exited;
    },
    restart: async () => {
      postmaster = await launch();
    },
  };
}

/** What initdb makes, which takes longer than all else that a server needs to be there. Nobody has started it. */
function emptyCluster(name: string, programs: Programs): Promise<string> {
  return onceInARun(name.replaceAll(' ', '-'), async (folder) => {
    const user = await databaseUser(dirname(folder), dirname(programs.postgres));
    await createCluster(programs.initdb, { folder, password: SUPERUSER_PASSWORD, user });
  });
}

/** The copies belong to whom the files belong. */
async function copyOf(cluster: string, folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', cluster, folder]);
}

/** What the tools of Postgres read, for its superuser. */
export function superuserEnvironment({ port }: TestPostgres): Readonly<Record<string, string>> {
  return { PGHOST: HOST, PGPORT: String(port), PGUSER: SUPERUSER, PGPASSWORD: SUPERUSER_PASSWORD };
}
