/**
 * A server that is still there although the process that kept it is gone. It is ended as an operator would end it, so that
 * the next one starts on a folder that was closed in order.
 */
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive } from '../../scripts/lock.js';
import { SetupError } from '../../scripts/setup-error.js';
import { readPrivateFile } from '../private-file.ts';

const ORDERLY_WITHIN_MS = 10_000;
const AT_ONCE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * The caller holds the lock of the folder.
 * @returns the process that was ended, if there was one
 * @throws SetupError when another program's server may be using the folder
 */
export async function endLeftOver(folder: string): Promise<number | undefined> {
  const file = join(folder, 'postmaster.pid');
  const pid = Number((await readPrivateFile(file))?.split('\n')[0]);
  // Of a dead process: Postgres sees that by itself.
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  const command = await commandOf(pid);
  if (!/postgres|postmaster/.test(command)) {
    // The number went to another program since; Postgres would take that for itself and refuse.
    await rm(file, { force: true });
    return undefined;
  }
  if (!command.includes(folder)) {
    throw new SetupError(
      `${file} names process ${String(pid)}, which is another Postgres.\n` +
        'If that one does not run on this folder, remove the file and start again.',
    );
  }
  await end(pid, file);
  return pid;
}

async function end(pid: number, file: string): Promise<void> {
  for (const [signal, withinMs] of [
    ['SIGINT', ORDERLY_WITHIN_MS],
    ['SIGQUIT', AT_ONCE_WITHIN_MS],
  ] as const) {
    process.kill(pid, signal);
    // A stopped process would not hear of it.
    process.kill(pid, 'SIGCONT');
    const endsAt = performance.now() + withinMs;
    while (performance.now() < endsAt) {
      // Its last act is to remove the file. A dead process may keep its number for as long as nobody asks for its end.
      if (!isAlive(pid) || (await readPrivateFile(file)) === undefined) return;
      await delay(LOOK_EVERY_MS);
    }
  }
  throw new SetupError(`Postgres, process ${String(pid)}, does not end. End it and start again.`);
}

async function commandOf(pid: number): Promise<string> {
  return process.platform === 'linux'
    ? readFile(`/proc/${String(pid)}/cmdline`, 'utf8')
    : (await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
}
