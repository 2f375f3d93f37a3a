/** The folders and the secrets on the disk. */
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, ok, warn } from './finding.js';
import { setting } from './settings.js';

const GIB = 1024 ** 3;
const LITTLE_SPACE = 1 * GIB;
const NO_SPACE = 0.1 * GIB;

export function checkFolder(variable, path) {
  // A folder that is not there yet is made when it is needed, in the nearest one that is.
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const name = `${variable} ${path}${nearest === path ? '' : ' (not there yet)'}`;
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return fail(`${name} cannot be written`, `give this user the folder, or set ${variable} to another one`);
  }
  const { bavail, bsize } = statfsSync(nearest);
  const free = bavail * bsize;
  const space = `${(free / GIB).toFixed(1)} GiB free`;
  if (free < NO_SPACE) return fail(`${name}: ${space}`, `make room, or set ${variable} to a larger disk`);
  if (free < LITTLE_SPACE)
    return warn(`${name}: ${space}`, 'files and results of tasks are kept there; make room soon');
  return ok(`${name}: writable, ${space}`);
}

/** A secret beside the data: there, filled and closed to others. `undefined`: there is none. */
export function checkSecretFile(path, name, beware = 'run as its owner') {
  if (!existsSync(path)) return undefined;
  try {
    if (readFileSync(path, 'utf8').trim() === '') return fail(`${path} is empty`, 'restore it from the backup');
  } catch {
    return fail(`${path} cannot be read by this user`, beware);
  }
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return fail(`${path} can be read by others (mode ${mode.toString(8)})`, `chmod 600 ${path}`);
  }
  return ok(`${name}: ${path}, readable by this user only`);
}

export function checkPrincipalKey(dataDir, env = process.env) {
  if (setting(env, 'PRINCIPAL_KEY') !== undefined) return ok('principal key: from PRINCIPAL_KEY');
  if (setting(env, 'PRINCIPAL_KEY_FILE') !== undefined) return ok('principal key: from PRINCIPAL_KEY_FILE');
  const path = join(dataDir, 'principal.key');
  const beware = 'run as its owner; never replace it: its loss loses every task handle';
  return checkSecretFile(path, 'principal key', beware) ?? ok(`principal key: none yet, the first front makes ${path}`);
}
