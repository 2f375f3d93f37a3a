/** Locks between processes of one machine: a file that names the process holding it. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
    const release = () => rmSync(file, { force: true });
    for (let attempt = 0; attempt < 3; attempt++) {
      // A link appears with its content, so that nobody ever reads a lock without a holder.
      if (linked(mine, file)) return { release };
      const text = readOrEmpty(file);
      if (text === '') continue;
      const holder = Number(text);
      if (isAlive(holder)) return { holder };
      // One at a time takes the place of the same dead holder: by then the file may be another's.
      const turn = tryLock(`${file}.after.${holder}`);
      if ('holder' in turn) return turn;
      const isMine = replaced(mine, file, text);
      turn.release();
      if (isMine) return { release };
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

/** Unless the lock is another's than `text` says. */
function replaced(from, to, text) {
  if (readOrEmpty(to) !== text) return false;
  renameSync(from, to);
  return true;
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
