/** The server process: started for the loopback only, watched for being ready, stopped in order. */
import { spawnTied } from '../../scripts/spawn-tied.js';
import type { DatabaseUser } from './database-user.ts';

export interface Postmaster {
  readonly pid: number;
  /** Resolves when it takes connections. Rejects with its own words when it ends before. */
  readonly ready: Promise<void>;
  /** Its exit code; `null` after a signal, or when it could not be run. */
  readonly exited: Promise<number | null>;
  /** Lets no transaction go on, writes everything down, ends. Twice is once. */
  stop(): void;
}

export interface PostmasterOptions {
  readonly folder: string;
  readonly port: number;
  readonly user: DatabaseUser;
  /** Takes what people should know; the rest of its log is dropped. */
  readonly say: (line: string) => void;
}

export const HOST = '127.0.0.1';
const READY = 'database system is ready to accept connections';
const STOP_WITHIN_MS = 4_000;
const KEPT_CHARACTERS = 10_000;
const SETTINGS = {
  listen_addresses: HOST,
  // The folder for sockets differs from system to system, and not every user may write there.
  unix_socket_directories: '',
  shared_buffers: '32MB',
  // Whatever stands in a row or a statement stays out of the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

export function startPostmaster(postgres: string, options: PostmasterOptions): Postmaster {
  const { folder, port, user, say } = options;
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnTied(postgres, ['-D', folder, '-p', String(port), ...settings], {
    ...user,
    signal: 'INT',
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stopping = false;
  let said = '';
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve(null);
    });
    child.once('close', resolve);
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
      if (said.includes(READY)) resolve();
      if (!stopping) text.split('\n').filter(isWorthSaying).forEach(say);
    });
    void exited.then((code) => {
      reject(new Error(`Postgres ended before it was ready (exit code ${String(code)}):\n${said.trim()}`));
    });
  });
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGQUIT'), STOP_WITHIN_MS).unref();
  };
  return { pid: child.pid ?? -1, ready, exited, stop };
}

function isWorthSaying(line: string): boolean {
  return /\b(?:WARNING|ERROR|FATAL|PANIC|HINT): /.test(line) && !/starting up|shutting down/.test(line);
}
