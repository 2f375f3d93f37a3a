/** The files of a new database server: made aside and renamed, so that a folder that is there is complete. */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { spawnTied } from '../../scripts/spawn-tied.js';
import type { DatabaseUser } from './database-user.ts';

/** Of the server itself. Ours is another one, without its rights. */
export const SUPERUSER = 'postgres';

/**
 * Does nothing when `folder` is there.
 * @throws with what initdb said
 */
export async function createCluster(
  initdb: string,
  { folder, password, user }: { folder: string; password: string; user: DatabaseUser },
): Promise<void> {
  if (await exists(folder)) return;
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.${randomBytes(8).toString('hex')}`;
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
    for (const path of [draft, passwordFile]) await giveTo(user, path);
    await runInitdb(initdb, [`--pgdata=${draft}`, `--pwfile=${passwordFile}`], user);
    await rename(draft, folder);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(initdb: string, args: readonly string[], user: DatabaseUser): Promise<void> {
  const settings = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', '--encoding=UTF8', '--no-locale'];
  const child = spawnTied(initdb, [...args, ...settings], {
    ...user,
    signal: 'TERM',
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The database folder could not be made:\n${said.trim()}`);
}

async function giveTo({ uid, gid }: DatabaseUser, path: string): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    },
  );
}
