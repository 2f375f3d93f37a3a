/** The official conformance suite: installed once, outside the work tree, with a Node that it starts on. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installedOutside, nodeBinary } from '../support/npm-packages.ts';

export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** The suite imports what Node has from 22 on. */
const NODE_VERSION = '22.23.3';

const run = promisify(execFile);

export interface OfficialSuite {
  readonly node: string;
  readonly entry: string;
}

/** One run of the suite: a revision, and the scenarios that it is expected to fail. */
export interface Leg {
  readonly name: string;
  readonly args: readonly string[];
  readonly expectedFailures: string;
}

export interface Check {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export interface LegResult {
  readonly checks: ReadonlyMap<string, readonly Check[]>;
  /** The suite's own verdict: nothing failed but what was expected to, and everything that was expected to did. */
  readonly isAsExpected: boolean;
  readonly printed: string;
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
export async function runLeg(suite: OfficialSuite, leg: Leg, url: string, folder: string): Promise<LegResult> {
  const out = join(folder, leg.name);
  const args = ['server', '--url', url, ...leg.args, '--expected-failures', leg.expectedFailures, '--output-dir', out];
  const options = { timeout: 120_000, maxBuffer: 50_000_000 };
  const ended = await run(suite.node, [suite.entry, ...args], options).then(
    ({ stdout, stderr }) => ({ isAsExpected: true, printed: stdout + stderr }),
    (error: unknown) => ({ isAsExpected: false, printed: outputOf(error) }),
  );
  const files = existsSync(out) ? await readdir(out, { recursive: true }) : [];
  const checks = new Map<string, readonly Check[]>();
  for (const file of files.filter((name) => basename(name) === 'checks.json').sort()) {
    checks.set(scenarioOf(file), JSON.parse(await readFile(join(out, file), 'utf8')) as Check[]);
  }
  if (checks.size === 0) throw new Error(`The suite left no checks for ${leg.name}:\n${ended.printed}`);
  return { ...ended, checks };
}

/** A folder is named `server-<scenario>-<time>`. */
function scenarioOf(file: string): string {
  return basename(dirname(file)).replace(/^server-|-\d{4}-\d{2}-\d{2}T[\d-]+Z$/g, '');
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}${String(error)}`;
}
