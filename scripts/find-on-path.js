import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @returns {string | undefined} the full path of a command */
export function findOnPath(command, env = process.env) {
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    if (folder === '') continue;
    const candidate = join(folder, command);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      // Not here; the next folder may have it.
    }
  }
  return undefined;
}
