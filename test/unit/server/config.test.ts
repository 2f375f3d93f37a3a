import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../server/config.ts';
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
      auth: undefined,
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
      /PORT: [^]*SYNC_BUDGET_MS: [^]*LOG_LEVEL: [^]*AUTH: must be none[^]*PRINCIPAL_KEY: must hold at least 32 bytes/,
    );
  });

  it('names a file with the API key that is not there, among the other problems', async () => {
    const env = { MCP_API_KEY_FILE: '/nowhere/key', PRINCIPAL_KEY: 'short' };
    await expect(readConfig(env)).rejects.toThrow(
      /- PRINCIPAL_KEY: must hold[^]*- MCP_API_KEY_FILE: \/nowhere\/key cannot be read$/,
    );
  });

  it.each([' none', 'none '])('asks for a loopback address also when AUTH is written as "%s"', async (AUTH) => {
    await expect(read({ AUTH, HOST: '0.0.0.0' })).rejects.toThrow('HOST: must be a loopback address');
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
    expect((await read({ PRINCIPAL_KEY: KEY })).principalRing).toEqual([bytes]);
    expect((await read({ PRINCIPAL_KEY: bytes.toString('base64') })).principalRing).toEqual([bytes]);
    expect((await read({ PRINCIPAL_KEY: text })).principalRing).toEqual([Buffer.from(text)]);
  });

  it('takes two keys while one replaces the other, the newest first', async () => {
    const former = 'b'.repeat(64);
    const ring = [Buffer.from(KEY, 'hex'), Buffer.from(former, 'hex')];
    expect((await read({ PRINCIPAL_KEY: `${KEY}, ${former}` })).principalRing).toEqual(ring);
    await expect(read({ PRINCIPAL_KEY: `${KEY},${former},${former}` })).rejects.toThrow('one key or two');
  });
});

describe('the key of a data directory', () => {
  const keyFile = (): string => join(dataDir, 'principal.key');

  it('is made once, for its owner only, and read from then on', async () => {
    const first = await readConfig({ DATA_DIR: dataDir });
    expect((await readConfig({ DATA_DIR: dataDir })).principalRing).toEqual(first.principalRing);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect([Buffer.from(await readFile(keyFile(), 'utf8'), 'hex')]).toEqual(first.principalRing);
  });

  it('is the same for all who start at once', async () => {
    const configs = await Promise.all(Array.from({ length: 20 }, () => readConfig({ DATA_DIR: dataDir })));
    expect(new Set(configs.map((config) => Buffer.from(config.principalRing[0]).toString('hex'))).size).toBe(1);
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
