import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a script that can be run, and the folder for it. */
export async function writeExecutable(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script);
  await chmod(path, 0o755);
}
