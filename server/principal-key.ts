/** The secret under which callers are hashed and task ids derived from idempotency keys. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';

const KEY_BYTES = 32;

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
 * The key of this data directory; made on first use. Two processes that start together get the same key: the file
 * appears whole, by a link that only one of them can make.
 * @throws ConfigError when the directory or the file cannot be used
 */
export async function readOrCreateKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'principal.key');
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await mkdir(dataDir, { recursive: true });
    const existing = await readKey(path);
    if (existing !== undefined) return existing;
    await writeFile(draft, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    const written = await readKey(path);
    if (written !== undefined) return written;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(['DATA_DIR: the principal key cannot be kept there; name a folder that can be written'], {
      cause: error,
    });
  } finally {
    // Where no draft could be written there is none to remove.
    await rm(draft, { force: true }).catch(() => undefined);
  }
  throw new ConfigError(['DATA_DIR: the principal key vanished while it was being made']);
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = decodeKey(text);
  if (key === undefined) throw new ConfigError(['DATA_DIR: principal.key does not hold 32 bytes; restore it']);
  return key;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
