/**
 * `npm run conformance`: the official suite against the fixture catalog, on a Temporal of its own unless TEMPORAL_ADDRESS
 * names one. `-- --serve` only serves the fixture catalog at HOST:PORT.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../scripts/temporal.js';
import { answersOk, startChild, type Child } from '../support/child.ts';
import { startDevServer } from '../support/dev-server.ts';
import { freePort } from '../support/free-port.ts';
import { installSuite, runScenario, type Check } from './official-suite.ts';
import { SCENARIOS } from './scenarios.ts';

const host = process.env['HOST'] ?? '127.0.0.1';
const isServing = process.argv.includes('--serve');
const endings: (() => Promise<unknown>)[] = [];

async function startFixtures(port: number, folder: string): Promise<Child> {
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
    isReady: () => answersOk(`http://${host}:${String(port)}/readyz`),
    readyWithinMs: 60_000,
  });
  endings.unshift(() => child.end());
  return child;
}

async function runAll(url: string, folder: string): Promise<{ passed: number; failed: number }> {
  const suite = await installSuite();
  const checks: Check[] = [];
  for (const scenario of SCENARIOS) {
    console.log(`\n${scenario}`);
    const found = await runScenario(suite, scenario, url, folder);
    for (const check of found) print(check);
    // A scenario that checked nothing proves nothing.
    checks.push(
      ...(found.length > 0 ? found : [{ id: scenario, name: scenario, description: '', status: 'NO CHECKS' }]),
    );
  }
  const counted = checks.filter(({ status }) => status !== 'INFO');
  const passed = counted.filter(({ status }) => status === 'SUCCESS').length;
  return { passed, failed: counted.length - passed };
}

function print({ id, description, status, errorMessage }: Check): void {
  console.log(`  ${status.padEnd(8)} ${id}: ${description}`);
  if (errorMessage !== undefined) console.log(`           ${errorMessage}`);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-conformance-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const port = isServing ? Number(process.env['PORT'] ?? 3000) : await freePort();
  const fixtures = await startFixtures(port, folder);
  const url = `http://${host}:${String(port)}/mcp`;
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
