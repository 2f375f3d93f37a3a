/** The ways to a Temporal that is there already, in their order. The commands only say which version they are. */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { cachedBinary, locateTemporal } from '../../../scripts/temporal.js';
import { writeExecutable } from '../../support/executable.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';
let env: Record<string, string> = {};
let said: string[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  env = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') };
  said = [];
});

async function command(path: string, prints: string): Promise<string> {
  await writeExecutable(path, `#!/bin/sh\necho '${prints}'\n`);
  return path;
}

const NEW = 'temporal version 1.5.1 (Server 1.29.0, UI 2.42.0)';
const OLD = 'temporal version 1.2.0 (Server 1.26.2, UI 2.30.0)';
const onPath = (prints: string): Promise<string> => command(join(folder, 'bin', 'temporal'), prints);
const inCache = (prints: string): Promise<string> => command(cachedBinary(env), prints);
const located = (more: Record<string, string> = {}): ReturnType<typeof locateTemporal> =>
  locateTemporal({ env: { ...env, ...more }, say: (line: string) => said.push(line) });

describe('Temporal', () => {
  it('is the running one that is named, before any command', async () => {
    await onPath(NEW);
    expect(await located({ TEMPORAL_ADDRESS: 'temporal.example:7233' })).toEqual({ address: 'temporal.example:7233' });
  });

  it('is the command that is named, before the one on the PATH', async () => {
    await onPath(NEW);
    const given = await command(join(folder, 'given'), NEW);
    expect(await located({ TEMPORAL_CLI_PATH: given })).toEqual({
      path: given,
      version: NEW,
      source: 'TEMPORAL_CLI_PATH',
    });
  });

  it.each([
    ['is not there', undefined, /ENOENT|not found|does not exist/],
    ['is too old', OLD, /server 1\.26, older than 1\.29/],
    ['is something else', 'hello', /does not say which Temporal server it brings/],
  ])('is not looked for elsewhere when the command that is named %s', async (_why, prints, words) => {
    await onPath(NEW);
    const given = join(folder, 'given');
    if (prints !== undefined) await command(given, prints);
    const failure = await located({ TEMPORAL_CLI_PATH: given }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining(`TEMPORAL_CLI_PATH is ${given}`) });
    expect(failure).toMatchObject({ message: expect.stringMatching(words) });
  });

  it('is the one on the PATH, before the one in the cache', async () => {
    const path = await onPath(NEW);
    await inCache(NEW);
    expect(await located()).toEqual({ path, version: NEW, source: 'PATH' });
  });

  it('is the one in the cache where that on the PATH is too old, which is said', async () => {
    const old = await onPath(OLD);
    const path = await inCache(NEW);
    expect(await located()).toEqual({ path, version: NEW, source: 'cache' });
    expect(said).toEqual([`Passing over ${old}: it brings server 1.26, older than 1.29.`]);
  });

  it('has to be fetched where none of these leads to it', async () => {
    expect(await located()).toBeUndefined();
    await inCache(OLD);
    expect(await located()).toBeUndefined();
  });
});
