/** Are the encryption keys there, whole, and closed to others? */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { checkSecretFile } from './doctor-files.js';
import { fail, ok, warn } from './finding.js';
import { setting } from './settings.js';

const BEWARE = 'run as its owner; never replace it: its loss makes every task unreadable';

export async function checkEncryption({ dataDir }, env = process.env) {
  if (setting(env, 'ENCRYPTION') === 'off') {
    return [warn('encryption is off: Temporal keeps what tasks hold in clear', 'leave ENCRYPTION unset')];
  }
  const named = setting(env, 'ENCRYPTION_KEYS') ?? setting(env, 'ENCRYPTION_KEYS_FILE');
  const kept = join(dataDir, 'encryption.keys');
  if (named === undefined && !existsSync(kept)) {
    return [ok(`encryption keys: none yet, the first front or worker makes ${kept}`)];
  }
  const files = [
    ...(named === undefined ? [checkSecretFile(kept, 'encryption keys', BEWARE)] : []),
    checkSecretFile(join(dataDir, 'codec.token'), 'token of the codec endpoint'),
  ];
  const broken = files.filter((finding) => finding?.level === 'FAIL');
  if (broken.length > 0) return broken;
  try {
    // The scripts are plain JavaScript; what a ring of keys is, is said there.
    const { readKeyRing } = await tsImport('../encryption/config.ts', import.meta.url);
    const { newest } = await readKeyRing({ ...presentOf(env), DATA_DIR: dataDir });
    return [ok(`encryption keys: new payloads under the key "${newest.id}"`)];
  } catch (error) {
    return [fail(error.problems?.join('; ') ?? error.message, 'see docs/security.md')];
  }
}

function presentOf(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value));
}
