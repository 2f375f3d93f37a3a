/**
 * `npm run postgres`: a Postgres of our own in `DATA_DIR/postgres`, on the loopback. Other processes find it by
 * `DATA_DIR/database.url`. `npm start` runs it unless `DATABASE_URL` names another one.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tryLock } from '../scripts/lock.js';
import { anyFreePort, isPortFree } from '../scripts/ports.js';
import { exitWith, SetupError } from '../scripts/setup-error.js';
import { ConfigError } from '../protocol/config-error.ts';
import { DATABASE_URL_FILE, PEPPER_FILE, readEmbeddedConfig } from './config.ts';
import { createCluster } from './embedded/cluster.ts';
import { databaseUser } from './embedded/database-user.ts';
import { prepareDatabase } from './embedded/database.ts';
import { endLeftOver } from './embedded/left-over.ts';
import { HOST, startPostmaster } from './embedded/postmaster.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import { findPrograms } from './embedded/programs.ts';
import { migrate } from './migrate.ts';

const USUAL_PORT = 5433;

async function start(): Promise<void> {
  const config = readEmbeddedConfig();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(config.dataDir);
  const folder = join(dataDir, 'postgres');
  lockFolder(folder);

  const programs = await findPrograms();
  const user = await databaseUser(dataDir, dirname(programs.postgres));
  const leftOver = await endLeftOver(folder);
  if (leftOver !== undefined) console.log(`Ended Postgres, process ${String(leftOver)}, which nobody kept any more`);
  const superuserPassword = await secretIn(join(dataDir, 'postgres.password'));
  // Here and nowhere else, under the lock: two processes that made one each would not know each other's keys.
  await secretIn(join(dataDir, PEPPER_FILE));
  await createCluster(programs.initdb, { folder, password: superuserPassword, user });

  const urlFile = join(dataDir, DATABASE_URL_FILE);
  const known = await knownUrl(urlFile);
  const port = await choosePort(config.port, Number(known?.port));
  const say = (line: string): void => {
    console.error(line);
  };
  const postmaster = startPostmaster(programs.postgres, { folder, port, user, say });
  console.log(`Postgres runs as process ${String(postmaster.pid)} on ${folder}`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort();
      postmaster.stop();
    });
  }
  try {
    await postmaster.ready;
    const role = known?.password ?? newSecret();
    const url = await prepareDatabase(port, { superuser: superuserPassword, role });
    await migrate(url);
    await writePrivateFile(urlFile, url);
    console.log(`Postgres listens on ${HOST}:${String(port)}`);
  } catch (error: unknown) {
    // What fails because it was asked to stop is no failure.
    if (!stop.signal.aborted) {
      postmaster.stop();
      await postmaster.exited;
      throw error;
    }
  }
  const code = await postmaster.exited;
  if (!stop.signal.aborted) throw new SetupError(`Postgres ended by itself (exit code ${String(code)}).`);
  process.exit(0);
}

function lockFolder(folder: string): void {
  const lock = tryLock(`${folder}.lock`);
  if ('holder' in lock) {
    throw new SetupError(
      `The database ${folder} is in use by process ${String(lock.holder)}.\n` +
        'Stop that one, or give this one a folder of its own: DATA_DIR=.data-2',
    );
  }
  process.once('exit', () => {
    lock.release();
  });
}

/** Who has read the URL before goes on with it, if it can be kept. */
async function knownUrl(file: string): Promise<URL | undefined> {
  const text = await readPrivateFile(file);
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

async function choosePort(wanted: number | undefined, last: number): Promise<number> {
  if (wanted !== undefined) {
    if (await isPortFree(wanted, HOST)) return wanted;
    throw new SetupError(
      `Port ${String(wanted)} (POSTGRES_PORT, Postgres) is taken. Stop the program that uses it, or leave POSTGRES_PORT unset: any free port will do.`,
    );
  }
  for (const port of [last, USUAL_PORT]) if (port > 0 && (await isPortFree(port, HOST))) return port;
  return anyFreePort(HOST);
}

async function secretIn(file: string): Promise<string> {
  const known = await readPrivateFile(file);
  if (known !== undefined) return known;
  const secret = newSecret();
  await writePrivateFile(file, secret);
  return secret;
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}

await start().catch((error: unknown) => {
  exitWith(error instanceof ConfigError ? new SetupError(error.message) : error);
});
