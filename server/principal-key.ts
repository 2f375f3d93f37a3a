/** The secret under which callers are hashed and task ids derived from idempotency keys. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOrCreateSecret } from '../encryption/secret-file.ts';
import { ConfigError } from '../protocol/config-error.ts';
import { readSecretVariable } from '../store/secret-variable.ts';
import type { PrincipalRing } from './principal.ts';

const KEY_BYTES = 32;
const FILE_NAME = 'principal.key';

/** Hex, base64 or plain text, whichever gives 32 bytes first; `undefined` when none does. */
export function decodeKey(written: string): Buffer | undefined {
  const text = written.trim();
  const readings = [
    /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined,
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined,
    Buffer.from(text, 'utf8'),
  ];
  return readings.find((bytes) => bytes !== undefined && bytes.length >= KEY_BYTES);
}

/**
 * `PRINCIPAL_KEY`, or what the file that `PRINCIPAL_KEY_FILE` names holds: one key, or while it is being replaced two, the
 * newest first, with a comma between them. `undefined`: neither is set.
 * @throws ConfigError that holds nothing of a key
 */
export async function readPrincipalRing(
  variables: Readonly<Record<string, string>>,
): Promise<PrincipalRing | undefined> {
  const text = await readSecretVariable(variables, 'PRINCIPAL_KEY').catch((error: unknown) => {
    throw new ConfigError([error instanceof Error ? error.message : 'PRINCIPAL_KEY: cannot be read'], { cause: error });
  });
  if (text === undefined) return undefined;
  // A key that is written as text may hold a comma itself; then it is the one key that it always was.
  const written = text.split(',').map(decodeKey);
  const [newest, former] = written.every((key) => key !== undefined) ? written : [decodeKey(text)];
  if (newest === undefined) {
    throw new ConfigError(['PRINCIPAL_KEY: must hold at least 32 bytes, written as hex, base64 or text']);
  }
  if (written.length > 2 && written.every((key) => key !== undefined)) {
    throw new ConfigError(['PRINCIPAL_KEY: must hold one key or two, the newest first']);
  }
  return former === undefined ? [newest] : [newest, former];
}

/** The key of this data directory; made on first use. @throws ConfigError when the directory or the file cannot be used */
export function readOrCreateKey(dataDir: string): Promise<Buffer> {
  return readOrCreateSecret(dataDir, {
    fileName: FILE_NAME,
    what: 'the principal key',
    create: () => randomBytes(KEY_BYTES).toString('hex'),
    parse(text) {
      const key = decodeKey(text);
      if (key === undefined) throw new Error(`does not hold ${String(KEY_BYTES)} bytes`);
      return key;
    },
  });
}

/**
 * The ring that a front with these variables and this data directory has; makes none. `undefined`: no front has made one yet.
 * @throws ConfigError that holds nothing of a key
 */
export async function readKeptRing(
  variables: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<PrincipalRing | undefined> {
  const named = await readPrincipalRing(variables);
  if (named !== undefined || !existsSync(join(dataDir, FILE_NAME))) return named;
  return [await readOrCreateKey(dataDir)];
}
