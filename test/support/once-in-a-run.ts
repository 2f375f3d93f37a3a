/** What many test files need and one can make for all of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../scripts/lock.js';

/**
 * The path of the file or folder `name`, the same for the whole run. The first one to ask has it made.
 * @param make writes it aside and renames it to the path that it is given, so that what is there is whole
 */
export async function onceInARun(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder === undefined) throw new Error('TEST_RUN_FOLDER is not set: this project has no global set-up.');
  const path = join(folder, name);
  if (existsSync(path)) return path;
  await withLock(
    `${path}.lock`,
    () => undefined,
    async () => {
      if (!existsSync(path)) await make(path);
    },
  );
  return path;
}
