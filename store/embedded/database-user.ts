/**
 * As whom Postgres runs: it refuses root, so that there it runs as the system user `postgres`, which has to be able to
 * enter the folders above its files.
 */
import { execFile } from 'node:child_process';
import { chmod, chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { SetupError } from '../../scripts/setup-error.js';

export interface DatabaseUser {
  /** Absent: the user of this process. */
  readonly uid?: number;
  readonly gid?: number;
  /** What Postgres keeps of root's rights, where a folder above ours is closed to its user. */
  readonly capability?: string;
}

const NAME = 'postgres';
const run = promisify(execFile);
/** By their bit in the masks of /proc; the narrower one first, which containers often lack. */
const ENTERING_CAPABILITIES = [
  ['dac_read_search', 2n],
  ['dac_override', 1n],
] as const;

/**
 * @param dataDir the folder that holds the database's; it is opened for the group of that user
 * @param programFolder the folder of the programs
 * @throws SetupError when there is no way for Postgres to run here
 */
export async function databaseUser(dataDir: string, programFolder: string): Promise<DatabaseUser> {
  if (process.getuid?.() !== 0) return {};
  const ids = await idsOf(NAME).catch(async () => {
    await addUser();
    return idsOf(NAME);
  });
  if (!(await canEnter(dataDir, ids))) await openFor(dataDir, ids.gid);
  for (const folder of [...pathTo(dataDir), ...pathTo(programFolder)]) {
    if (!(await canEnter(folder, ids))) return { ...ids, capability: await enteringCapability(folder) };
  }
  return ids;
}

async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await run('id', [which, name])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error(`id does not know ${name}`);
  return { uid, gid };
}

async function addUser(): Promise<void> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  await run('useradd', [...options, '--shell', '/usr/sbin/nologin', NAME]).catch((error: unknown) => {
    throw new SetupError(
      `Postgres does not run as root, and a system user "${NAME}" could not be added.\n` +
        'Add it, run this as an ordinary user, or use a Postgres of yours: DATABASE_URL=postgres://…',
      { cause: error },
    );
  });
}

/** For that group alone: others must not come near the files beside the database. */
async function openFor(folder: string, gid: number): Promise<void> {
  const { uid, mode } = await stat(folder);
  await chown(folder, uid, gid);
  await chmod(folder, (mode & 0o7700) | 0o010);
}

async function canEnter(folder: string, ids: { uid: number; gid: number }): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder);
  if (uid === ids.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === ids.gid ? 0o010 : 0o001)) !== 0;
}

function pathTo(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...pathTo(parent), folder];
}

async function enteringCapability(folder: string): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const mask = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const found = ENTERING_CAPABILITIES.find(([, bit]) => ((mask >> bit) & 1n) === 1n);
  if (found !== undefined) return found[0];
  throw new SetupError(
    `Postgres does not run as root, and its user "${NAME}" cannot enter ${folder}.\n` +
      'Set DATA_DIR to a folder that it can reach, run this as an ordinary user, or use a Postgres of yours: DATABASE_URL=postgres://…',
  );
}
