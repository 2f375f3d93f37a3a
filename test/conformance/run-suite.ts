/**
 * `npm run conformance`: the official suite against the fixture catalog, on a Temporal of its own unless TEMPORAL_ADDRESS
 * names one. `-- --serve` only serves the fixture catalog at HOST:PORT.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROTOCOL_VERSION } from '../../protocol/extension.ts';
import { findTemporal } from '../../scripts/temporal.js';
import { answersOk, startChild, type Child } from '../support/child.ts';
import { startDevServer } from '../support/dev-server.ts';
import { readExpectedFailures } from './expected-failures.ts';
import { LEGS, TASK_SCENARIOS } from './legs.ts';
import { requirements } from './requirements.ts';
import { installSuite, runLeg, type Check, type Leg, type OfficialSuite } from './official-suite.ts';

const tasks: ReadonlySet<string> = new Set(TASK_SCENARIOS);
/** Those of tasks, and those that stand for a requirement. */
const mustPass: ReadonlySet<string> = new Set([
  ...TASK_SCENARIOS,
  ...Object.values(requirements).flatMap(({ scenario }) => scenario ?? []),
]);
const host = process.env['HOST'] ?? '127.0.0.1';
/** Neither for nor against the server. */
const HARMLESS = new Set(['SUCCESS', 'INFO', 'SKIPPED']);
/** A check of tasks that does not run proves nothing, and each of these runs today. */
const HARMLESS_OF_TASKS = new Set(['SUCCESS', 'INFO']);
const isServing = process.argv.includes('--serve');
const endings: (() => Promise<unknown>)[] = [];

/** On a free port when `port` is 0. */
async function startFixtures(port: number, folder: string): Promise<{ readonly child: Child; readonly url: string }> {
  const found = await findTemporal();
  if ('path' in found) process.env['TEMPORAL_CLI_PATH'] = found.path;
  const temporal = 'path' in found ? await startDevServer() : undefined;
  if (temporal !== undefined) endings.unshift(() => temporal.end());
  const child = await startChild({
    name: 'the fixture server',
    command: process.execPath,
    args: ['--import', 'tsx', 'test/conformance/fixture-server.ts'],
    env: {
      TEMPORAL_ADDRESS: temporal?.address ?? process.env['TEMPORAL_ADDRESS'],
      TASK_QUEUE: `mcp-fixtures-${String(process.pid)}`,
      DATA_DIR: folder,
      HOST: host,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    isReady: async (started) => {
      const url = servedUrl(started);
      return url !== undefined && answersOk(new URL('/readyz', url).href);
    },
    readyWithinMs: 60_000,
  });
  endings.unshift(() => child.end());
  return { child, url: servedUrl(child) ?? '' };
}

function servedUrl(child: Child): string | undefined {
  return /is served at (http\S+)/.exec(child.output())?.[1];
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

async function runAll(url: string, folder: string): Promise<Counts> {
  const suite = await installSuite();
  let [passed, failed] = [0, 0];
  for (const leg of LEGS) {
    const counts = await runAndPrint(suite, leg, url, folder);
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}

async function runAndPrint(suite: OfficialSuite, leg: Leg, url: string, folder: string): Promise<Counts> {
  const { checks, isAsExpected, printed } = await runLeg(suite, leg, url, folder);
  const expected = await readExpectedFailures(leg.expectedFailures);
  let [passed, failed] = [0, 0];
  for (const [scenario, found] of checks) {
    console.log(`\n${leg.name} ${scenario}`);
    const judged = found.filter(({ id }) => !expected.has(scenario) && !expected.has(`${scenario}:${id}`));
    for (const check of found) print(check, judged.includes(check));
    const harmless = tasks.has(scenario) ? HARMLESS_OF_TASKS : HARMLESS;
    passed += judged.filter(({ status }) => status === 'SUCCESS').length;
    failed += judged.filter(({ status }) => !harmless.has(status)).length;
  }
  const missing = leg.name === PROTOCOL_VERSION ? [...mustPass].filter((name) => !hasPassed(checks.get(name))) : [];
  for (const name of missing) console.log(`\n${name} passed no check.`);
  failed += missing.length;
  if (isAsExpected || failed > 0) return { passed, failed };
  console.log(`\nThe suite did not find what ${leg.expectedFailures} expects:\n${printed.slice(-3_000)}`);
  return { passed, failed: 1 };
}

/** Whether a scenario checked something: one that checked nothing proves nothing. */
function hasPassed(checks: readonly Check[] = []): boolean {
  return checks.some(({ status }) => status === 'SUCCESS');
}

function print({ id, description, status, errorMessage }: Check, isJudged: boolean): void {
  const shown = isJudged || HARMLESS.has(status) ? status : 'EXPECTED';
  console.log(`  ${shown.padEnd(8)} ${id}: ${description}`);
  if (errorMessage !== undefined) console.log(`           ${errorMessage}`);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-conformance-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const { child: fixtures, url } = await startFixtures(isServing ? Number(process.env['PORT'] ?? 3000) : 0, folder);
  if (isServing) {
    console.log(`The fixture catalog is served at ${url}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fixtures.end());
    await fixtures.exited;
    return;
  }
  const { passed, failed } = await runAll(url, folder);
  if (failed > 0) console.log(`\nOutput of the fixture server:\n${fixtures.output()}`);
  console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

try {
  await main();
} finally {
  for (const end of endings) await end();
}
