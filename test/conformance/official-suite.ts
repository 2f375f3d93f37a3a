/** The official conformance suite: installed once, outside the work tree, with a Node that it starts on. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedOutside, nodeBinary } from '../support/npm-packages.ts';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** The suite imports what Node has from 22 on. */
const NODE_VERSION = '22.23.3';

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
  const modules = await installedOutside([SUITE]);
  return {
    node: isNewEnough ? process.execPath : await nodeBinary(NODE_VERSION),
    entry: join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
  };
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
