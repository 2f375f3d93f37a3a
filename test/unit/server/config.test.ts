import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../server/config.ts';
import { callerOf, localCaller } from '../../../server/local-caller.ts';
import { verifies } from '../../support/verifies.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'config-'));
});
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

const KEY = 'ab'.repeat(32);
const read = (env: NodeJS.ProcessEnv): ReturnType<typeof readConfig> =>
  readConfig({ DATA_DIR: dataDir, PRINCIPAL_KEY: KEY, ...env });

describe('readConfig', () => {
  it('has a default for everything', async () => {
    expect(await readConfig({ DATA_DIR: dataDir })).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      taskQueue: 'mcp-tasks',
      blobDir: join(dataDir, 'blobs'),
      auth: 'none',
      syncBudgetMs: 1_000,
      fallbackBudgetMs: 45_000,
      resultRetentionMs: 604_800_000,
      logLevel: 'info',
      allowedHosts: [],
    });
  });

  it('takes an empty string for unset', async () => {
    expect((await read({ HOST: '', PORT: '', BLOB_DIR: '', ALLOWED_ORIGINS: '' })).port).toBe(3000);
  });

  it('reads lists and numbers', async () => {
    const config = await read({
      ALLOWED_HOSTS: 'a.test, B.test,',
      PORT: '0',
      SYNC_BUDGET_MS: '250',
      HOST: '127.0.0.2',
    });
    expect(config).toMatchObject({ allowedHosts: ['a.test', 'b.test'], port: 0, syncBudgetMs: 250, host: '127.0.0.2' });
  });

  it('reports every problem at once', async () => {
    const bad = { PORT: '70000', AUTH: 'oidc', SYNC_BUDGET_MS: 'soon', PRINCIPAL_KEY: 'short', LOG_LEVEL: 'loud' };
    await expect(read(bad)).rejects.toThrow(
      /PORT: [^]*AUTH: must be none[^]*SYNC_BUDGET_MS: [^]*LOG_LEVEL: [^]*PRINCIPAL_KEY: must hold at least 32 bytes/,
    );
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.evil.test'])(
    'refuses HOST %s without sign-in',
    async (HOST) => {
      verifies('http.loopback');
      await expect(read({ HOST })).rejects.toThrow('HOST: must be a loopback address');
    },
  );

  it.each(['::1', 'localhost', '127.0.0.1'])('takes HOST %s', async (HOST) => {
    expect((await read({ HOST })).host).toBe(HOST);
  });

  it('takes a key as hex, base64 or text', async () => {
    const bytes = Buffer.from(KEY, 'hex');
    const text = 'a passphrase of more than thirty-two bytes';
    expect((await read({ PRINCIPAL_KEY: KEY })).principalKey).toEqual(bytes);
    expect((await read({ PRINCIPAL_KEY: bytes.toString('base64') })).principalKey).toEqual(bytes);
    expect((await read({ PRINCIPAL_KEY: text })).principalKey).toEqual(Buffer.from(text));
  });
});

describe('the key of a data directory', () => {
  const keyFile = (): string => join(dataDir, 'principal.key');

  it('is made once, for its owner only, and read from then on', async () => {
    const first = await readConfig({ DATA_DIR: dataDir });
    expect((await readConfig({ DATA_DIR: dataDir })).principalKey).toEqual(first.principalKey);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(Buffer.from(await readFile(keyFile(), 'utf8'), 'hex')).toEqual(first.principalKey);
  });

  it('is the same for all who start at once', async () => {
    const configs = await Promise.all(Array.from({ length: 20 }, () => readConfig({ DATA_DIR: dataDir })));
    expect(new Set(configs.map((config) => config.principalKey.toString('hex'))).size).toBe(1);
  });

  it('is never replaced when it is damaged', async () => {
    await writeFile(keyFile(), '');
    await expect(readConfig({ DATA_DIR: dataDir })).rejects.toThrow('principal.key does not hold 32 bytes');
    expect(await readFile(keyFile(), 'utf8')).toBe('');
  });

  it('cannot be kept where no folder can be', async () => {
    await writeFile(join(dataDir, 'file'), '');
    await expect(readConfig({ DATA_DIR: join(dataDir, 'file') })).rejects.toThrow('DATA_DIR: ');
  });
});

describe('a caller', () => {
  it('is 32 hex digits that depend on key, issuer and subject', () => {
    const key = Buffer.from(KEY, 'hex');
    expect(localCaller(key).principal).toMatch(/^[0-9a-f]{32}$/);
    const all = [
      callerOf(key, 'local', 'ada'),
      callerOf(key, 'local', 'eve'),
      callerOf(key, 'locala', 'da'),
      callerOf(Buffer.alloc(32), 'local', 'ada'),
    ];
    expect(new Set(all.map((caller) => caller.principal)).size).toBe(4);
  });
});
