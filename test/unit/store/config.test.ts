import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readEmbeddedConfig, readStoreConfig } from '../../../store/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const URL_1 = 'postgres://mcp:secret-1@db.example:5432/mcp';
const PEPPER = 'p'.repeat(32);

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

describe('readStoreConfig', () => {
  it('knows of no store when nothing names one', async () => {
    const DATA_DIR = await folderWith({});
    expect(await readStoreConfig({ DATA_DIR, DATABASE_URL: '', DATABASE_URL_FILE: '' })).toEqual({});
  });

  it('takes the database and the pepper that our own Postgres left in the data folder', async () => {
    const DATA_DIR = await folderWith({ 'database.url': `${URL_1}\n`, 'api-key.pepper': PEPPER });
    expect(await readStoreConfig({ DATA_DIR })).toEqual({ databaseUrl: URL_1, pepper: Buffer.from(PEPPER) });
  });

  it('prefers what a variable, or the file that a variable names, holds', async () => {
    const DATA_DIR = await folderWith({ 'database.url': URL_1, secret: `${PEPPER}\n` });
    const DATABASE_URL = 'postgresql://other/db';
    const API_KEY_PEPPER_FILE = join(DATA_DIR, 'secret');
    expect(await readStoreConfig({ DATA_DIR, DATABASE_URL, API_KEY_PEPPER_FILE })).toEqual({
      databaseUrl: DATABASE_URL,
      pepper: Buffer.from(PEPPER),
    });
  });

  it('names every problem at once, and no secret', async () => {
    const DATA_DIR = await folderWith({});
    const env = { DATA_DIR, DATABASE_URL: 'mysql://u:hidden@h/d', API_KEY_PEPPER: 'short-pepper' };
    const error = await readStoreConfig(env).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/DATABASE_URL: [^]*API_KEY_PEPPER: /),
    });
    expect(String(error)).not.toMatch(/hidden|short-pepper/);
  });

  it.each([
    ['a file that is not there', { DATABASE_URL_FILE: '/nowhere/at-all' }, /DATABASE_URL_FILE: .* cannot be read/],
    ['a value and a file', { DATABASE_URL: URL_1, DATABASE_URL_FILE: '/nowhere' }, /DATABASE_URL_FILE as well/],
    ['an empty file', { API_KEY_PEPPER_FILE: '/dev/null' }, /API_KEY_PEPPER_FILE: .* is empty/],
  ])('refuses %s', async (_, env, problem) => {
    await expect(readStoreConfig({ DATA_DIR: await folderWith({}), ...env })).rejects.toThrow(problem);
  });
});

describe('readEmbeddedConfig', () => {
  it('takes any port when none is named', () => {
    expect(readEmbeddedConfig({ DATA_DIR: '/d' })).toEqual({ dataDir: '/d', port: undefined });
    expect(readEmbeddedConfig({ DATA_DIR: '/d', POSTGRES_PORT: '6000' }).port).toBe(6000);
  });

  it.each(['x', '0', '65536', '5433.5'])('refuses the port %s', (POSTGRES_PORT) => {
    expect(() => readEmbeddedConfig({ POSTGRES_PORT })).toThrow('POSTGRES_PORT: must be a port');
  });
});
