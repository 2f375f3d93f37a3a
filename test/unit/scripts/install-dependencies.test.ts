/** What `npm start` does about packages that are missing. A script stands for npm and installs what it is told to. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import { installDependencies } from '../../../scripts/dependencies.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOCKED = JSON.stringify({ packages: { 'node_modules/zod': { version: '4.0.1' } } });
const INSTALLS = `
  const { mkdirSync, copyFileSync, writeFileSync } = require('node:fs');
  mkdirSync('node_modules');
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
  writeFileSync('told', process.argv.slice(2).join(' '));
`;
const INSTALLING = 'Installing packages (node_modules is missing). This takes about a minute.';

let root = '';
let env: Record<string, string> = {};
let said: string[] = [];

beforeEach(async () => {
  root = await temporaryFolder();
  said = [];
  await writeFile(join(root, 'package-lock.json'), LOCKED);
  env = { XDG_CACHE_HOME: join(root, 'cache'), npm_execpath: join(root, 'npm', 'npm-cli.js') };
  await mkdir(join(root, 'npm'));
});

const install = (): Promise<void> => installDependencies((line) => said.push(line), env, root);

it('installs once what is missing, and says that it takes a while', async () => {
  await writeFile(env['npm_execpath']!, INSTALLS);
  await Promise.all([install(), install()]);
  await install();
  // The second of two waits for the first, and finds nothing to do.
  expect(said.filter((line) => line === INSTALLING)).toHaveLength(1);
  expect(await readFile(join(root, 'told'), 'utf8')).toBe('ci --no-audit --no-fund --loglevel=error');
});

it('says what to do when npm fails', async () => {
  await writeFile(env['npm_execpath']!, 'process.exit(1);');
  await expect(install()).rejects.toThrow(/^npm ci did not succeed\.[\s\S]*npm ping/);
  expect(said).toEqual([INSTALLING]);
});

it('installs nothing where that is switched off, and says what is missing', async () => {
  await writeFile(env['npm_execpath']!, INSTALLS);
  env['SETUP_INSTALL'] = 'off';
  await expect(install()).rejects.toThrow(
    'The packages are not installed (node_modules is missing) and SETUP_INSTALL is off. Run: npm ci',
  );
});
