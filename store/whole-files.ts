/** Files that are there whole or not at all, in folders that somebody else may take away at any moment. */
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A temporary file, synchronised and renamed. Its name holds a `~`. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `${name}~${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** None when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await orAbsent(readdir(folder))) ?? [];
}

/** `undefined` when what it works on is not there (any more). */
export function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  return unless(work, ['ENOENT']);
}

/** `undefined` when it failed with one of these system error codes. */
export async function unless<T>(work: Promise<T>, codes: readonly string[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error: unknown) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
