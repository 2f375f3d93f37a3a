/** The Postgres of our own as a process: found by others, alone on its folder, and gone with whoever keeps it. */
import { spawn } from 'node:child_process';
import { chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ApiKeys } from '../../../store/api-keys.ts';
import { readStoreConfig } from '../../../store/config.ts';
import { openDatabase } from '../../../store/postgres.ts';
import type { Child } from '../../support/child.ts';
import { compiledEntry } from '../../support/compiled-entry.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { startTracked } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 120_000;
const READY_WITHIN_MS = 60_000;
const LISTENS = 'Postgres listens on';
const NOBODY = 65_534;

const entry = [compiledEntry('store/embedded-main.ts')];
/** As `npm run postgres` starts it; what is compiled lies where other users may not look. */
const source = ['--import', 'tsx', 'store/embedded-main.ts'];

type Env = Readonly<Record<string, string | undefined>>;

function start(dataDir: string, env: Env = {}, run = [process.execPath, ...entry]): Promise<Child> {
  const [command = '', ...args] = run;
  return startTracked({
    name: 'npm run postgres',
    command,
    args,
    env: { POSTGRES_PORT: undefined, ...env, DATA_DIR: dataDir },
    readyWithinMs: READY_WITHIN_MS,
    isReady: (child) => child.output().includes(LISTENS),
  });
}

/** For a start that is expected to refuse. */
async function refusalOf(dataDir: string, env: Env = {}): Promise<string> {
  const child = await startTracked({
    name: 'a second npm run postgres',
    command: process.execPath,
    args: entry,
    env: { ...env, DATA_DIR: dataDir },
    isReady: () => true,
  });
  expect(await child.exited).toEqual({ code: 1, signal: null });
  return child.output();
}

function serverOf(child: Child): number {
  return Number(/Postgres runs as process (\d+)/.exec(child.output())![1]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What is kept under this folder, by a key that is made there and looked up. */
async function keysIn(dataDir: string): Promise<{ keys: ApiKeys; url: string; close: () => Promise<void> }> {
  const { databaseUrl, pepper } = await readStoreConfig({ DATA_DIR: dataDir });
  const { db, close } = openDatabase(databaseUrl!, { maxConnections: 1 });
  return { keys: new ApiKeys(db, pepper!), url: databaseUrl!, close };
}

async function makeKey(dataDir: string): Promise<string> {
  const { keys, close } = await keysIn(dataDir);
  const { record } = await keys.create({ environment: 'test', subject: 'robot', scopes: [] });
  await close();
  return record.keyId;
}

async function hasKey(dataDir: string, keyId: string): Promise<boolean> {
  const { keys, close } = await keysIn(dataDir);
  try {
    return (await keys.find(keyId)) !== undefined;
  } finally {
    await close();
  }
}

describe('npm run postgres', () => {
  it(
    'leaves what others need in files for this user alone, and closes in order',
    async () => {
      const dataDir = await temporaryFolder();
      const postgres = await start(dataDir);
      for (const name of ['database.url', 'postgres.password', 'api-key.pepper']) {
        expect({ name, mode: (await stat(join(dataDir, name))).mode & 0o777 }).toEqual({ name, mode: 0o600 });
      }
      expect((await stat(dataDir)).mode & 0o007).toBe(0);
      const keyId = await makeKey(dataDir);
      const { url } = await keysIn(dataDir);
      expect(new URL(url).hostname).toBe('127.0.0.1');
      const database = openDatabase(url);
      atScopeEnd(database.close);
      const { rows } = await sql`select rolsuper from pg_roles where rolname = current_user`.execute(database.db);
      expect(rows).toEqual([{ rolsuper: false }]);
      const wrong = openDatabase(Object.assign(new URL(url), { password: 'x' }).href);
      atScopeEnd(wrong.close);
      await expect(sql`select 1`.execute(wrong.db)).rejects.toMatchObject({ name: 'StoreDown' });

      const server = serverOf(postgres);
      expect(await postgres.end()).toEqual({ code: 0, signal: null });
      expect(isAlive(server)).toBe(false);
      expect(await stat(join(dataDir, 'postgres', 'postmaster.pid')).catch(() => 'gone')).toBe('gone');

      await start(dataDir);
      expect((await keysIn(dataDir)).url).toBe(url);
      expect(await hasKey(dataDir, keyId)).toBe(true);
    },
    TEST_MS,
  );

  it(
    'is alone on its folder',
    async () => {
      const dataDir = await temporaryFolder();
      const first = await start(dataDir);
      const said = await refusalOf(dataDir);
      expect(said).toContain(`is in use by process ${String(first.pid)}.`);
      expect(said).not.toMatch(/^\s+at /m);
      expect(await hasKey(dataDir, await makeKey(dataDir))).toBe(true);
    },
    TEST_MS,
  );

  it(
    'takes its server with it when it is killed, and starts again on what was written',
    async () => {
      const dataDir = await temporaryFolder();
      const killed = await start(dataDir);
      const keyId = await makeKey(dataDir);
      killed.signal('SIGKILL');
      await killed.exited;
      await eventually(() => !isAlive(serverOf(killed)), 10_000);
      await start(dataDir);
      expect(await hasKey(dataDir, keyId)).toBe(true);
    },
    TEST_MS,
  );

  it(
    'ends a server that outlived its keeper, and goes on where that one listened',
    async () => {
      const dataDir = await temporaryFolder();
      // Without the program that ties the two on Linux, as on a system that has none.
      const killed = await start(dataDir, { PATH: await pathWithout('setpriv') });
      const keyId = await makeKey(dataDir);
      const { url } = await keysIn(dataDir);
      const orphan = serverOf(killed);
      atScopeEnd(async () => {
        if (isAlive(orphan)) process.kill(orphan, 'SIGKILL');
      });
      killed.signal('SIGKILL');
      await killed.exited;
      expect(isAlive(orphan)).toBe(true);
      const next = await start(dataDir);
      expect(next.output()).toContain(`Ended Postgres, process ${String(orphan)}, which nobody kept any more`);
      expect((await keysIn(dataDir)).url).toBe(url);
      expect(await hasKey(dataDir, keyId)).toBe(true);
    },
    TEST_MS,
  );

  it(
    'starts again after the server itself was killed, and after its number went to another program',
    async () => {
      const dataDir = await temporaryFolder();
      const killed = await start(dataDir);
      const keyId = await makeKey(dataDir);
      process.kill(serverOf(killed), 'SIGKILL');
      expect(await killed.exited).toEqual({ code: 1, signal: null });
      expect(killed.output()).toContain('Postgres ended by itself');
      const file = join(dataDir, 'postgres', 'postmaster.pid');
      const left = await readFile(file, 'utf8');
      // Of the same user, as Postgres looks at no other.
      const { uid, gid } = await stat(file);
      const other = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
      atScopeEnd(async () => void other.kill());
      await writeFile(file, left.replace(/^\d+/, String(other.pid)));
      await start(dataDir);
      expect(await hasKey(dataDir, keyId)).toBe(true);
    },
    TEST_MS,
  );

  it(
    'refuses a port that is taken when it was told to use that one',
    async () => {
      const dataDir = await temporaryFolder();
      const port = String(await freePort());
      const first = await start(dataDir, { POSTGRES_PORT: port });
      expect(first.output()).toContain(`${LISTENS} 127.0.0.1:${port}`);
      const said = await refusalOf(await temporaryFolder(), { POSTGRES_PORT: port });
      expect(said).toContain(`Port ${port} (POSTGRES_PORT, Postgres) is taken.`);
    },
    TEST_MS,
  );

  it(
    'runs for root and for an ordinary user, never as root',
    async () => {
      // Below a folder that the database's user may not enter.
      const mine = join(await temporaryFolder(), 'data');
      const theirs = await temporaryFolder();
      const isRoot = process.getuid?.() === 0;
      if (isRoot) await chown(theirs, NOBODY, NOBODY);
      await chmod(theirs, 0o700);
      const asNobody = isRoot
        ? ['setpriv', `--reuid=${String(NOBODY)}`, `--regid=${String(NOBODY)}`, '--clear-groups', '--']
        : [];
      const ours = [process.execPath, ...source];
      const byMe = await start(mine, {}, ours);
      const byThem = await start(theirs, { HOME: theirs, TMPDIR: theirs }, [...asNobody, ...ours]);
      const owners = await Promise.all([mine, theirs].map(async (folder) => stat(join(folder, 'postgres'))));
      expect(owners.map(({ uid }) => uid === 0)).toEqual([false, false]);
      expect(owners[1]!.uid).toBe(isRoot ? NOBODY : process.getuid?.());
      expect([serverOf(byMe), serverOf(byThem)].filter(isAlive)).toHaveLength(2);
    },
    TEST_MS,
  );
});

/** The folders of the PATH with links to all their programs but one. */
async function pathWithout(program: string): Promise<string> {
  const folder = await temporaryFolder();
  for (const place of process.env['PATH']!.split(':')) {
    for (const name of await readdir(place).catch(() => [])) {
      if (name !== program) await symlink(join(place, name), join(folder, name)).catch(() => undefined);
    }
  }
  await chmod(folder, 0o755);
  return folder;
}
