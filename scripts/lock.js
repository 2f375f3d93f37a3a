/** Locks between processes of one machine: a file that names the process holding it. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @param {string} file
 * @returns {{ release(): void } | { holder: number }}
 */
export function tryLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      // A link appears with its content, so that nobody ever reads a lock without a holder.
      if (linked(mine, file)) return { release: () => rmSync(file, { force: true }) };
      const holder = Number(readOrEmpty(file));
      if (holder > 0 && isAlive(holder)) return { holder };
      rmSync(file, { force: true });
    }
    return { holder: Number(readOrEmpty(file)) };
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Waits for its turn, then works. `onWait` is told once who is being waited for. */
export async function withLock(file, onWait, work) {
  let told = false;
  for (;;) {
    const lock = tryLock(file);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (!told) onWait(lock.holder);
    told = true;
    await delay(500);
  }
}

function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
