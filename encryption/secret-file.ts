/** Secrets that a data folder keeps: made on first use, for this user only, never replaced. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../protocol/config-error.ts';

export interface SecretFile<Secret> {
  readonly fileName: string;
  /** In words, for errors: `the principal key`. */
  readonly what: string;
  /** The text of a new one. */
  readonly create: () => string;
  /** @throws Error that says what the text lacks, and holds nothing of it */
  readonly parse: (text: string) => Secret;
}

/**
 * Reads the secret, or makes it. Processes that start together get the same one: the file appears whole, by a link that
 * only one of them can make. A damaged file is left as it is.
 * @throws ConfigError when the folder or the file cannot be used
 */
export async function readOrCreateSecret<Secret>(dataDir: string, secret: SecretFile<Secret>): Promise<Secret> {
  const path = join(dataDir, secret.fileName);
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await mkdir(dataDir, { recursive: true });
    const existing = await readText(path);
    if (existing !== undefined) return parse(existing, secret);
    await writeFile(draft, secret.create(), { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    const written = await readText(path);
    if (written !== undefined) return parse(written, secret);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`DATA_DIR: ${secret.what} cannot be kept there; name a folder that can be written`], {
      cause: error,
    });
  } finally {
    // Where no draft could be written there is none to remove.
    await rm(draft, { force: true }).catch(() => undefined);
  }
  throw new ConfigError([`DATA_DIR: ${secret.what} vanished while it was being made`]);
}

function parse<Secret>(text: string, { fileName, parse: read }: SecretFile<Secret>): Secret {
  try {
    return read(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'cannot be used';
    throw new ConfigError([`DATA_DIR: ${fileName} ${problem}; restore it`], { cause: error });
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
