import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { answersOk, type Child } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { NEWER_NODE_VERSIONS, nodeBinary } from '../support/npm-packages.ts';
import { ownPlace } from '../support/own-place.ts';
import { startTracked } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { atScopeEnd } from '../support/scope.ts';
import { patiently } from '../support/patience.js';

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const INSTALL_WITHIN_MS = 120_000;
const NODES: readonly (readonly [string, () => Promise<string>])[] = [
  ['the Node.js of this suite', async () => process.execPath],
  ...NEWER_NODE_VERSIONS.map((version) => [`Node.js ${version}`, () => nodeBinary(version)] as const),
];
const ROLES = ['postgres', 'temporal', 'erp', 'worker', 'front'] as const;

type Env = Record<string, string | undefined>;

function startEverything(env: Env, node = process.execPath): Promise<Child> {
  return startTracked({
    name: 'npm start',
    command: node,
    args: ['scripts/start.js'],
    env,
    readyWithinMs: START_WITHIN_MS,
    isReady: (child) => child.output().includes('Stop everything: Ctrl-C'),
  });
}

/** Bundling the workflows takes most of a start. */
function bundled(): Env {
  return { WORKFLOW_BUNDLE: process.env['TEST_PRODUCT_BUNDLE'] };
}

/** Also for what starts `node` by its name. */
function pathWith(node: string): string {
  return [dirname(node), process.env['PATH'] ?? ''].join(delimiter);
}

/** For a start that is expected to refuse: its exit code and what it said. */
async function runToTheEnd(env: Env): Promise<{ code: number | null; said: string }> {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(JEST_|NODE_OPTIONS$)/.test(key));
  const child = spawn(process.execPath, ['scripts/start.js'], { env: { ...Object.fromEntries(inherited), ...env } });
  atScopeEnd(async () => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

/** The process that `npm start` last started for a role. */
function processOf(start: Child, role: string): number {
  const lines = [...start.output().matchAll(new RegExp(`^${role} *\\| started as process (\\d+)$`, 'gm'))];
  return Number(lines.at(-1)![1]);
}

function serverProcessOf(start: Child): number {
  return Number([...start.output().matchAll(/Temporal runs as process (\d+)/g)].at(-1)![1]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function postgresProcessOf(start: Child): number {
  return Number([...start.output().matchAll(/Postgres runs as process (\d+)/g)].at(-1)![1]);
}

function allProcessesOf(start: Child): number[] {
  return [...ROLES.map((role) => processOf(start, role)), serverProcessOf(start), postgresProcessOf(start)];
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => {
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  }).finally(() => socket.destroy());
}

describe('npm start', () => {
  it.each(NODES)(
    'serves what it prints and stops all of it in order at Ctrl-C, on %s',
    async (_name, binary) => {
      const node = await binary();
      const env = { ...(await ownPlace()), PATH: pathWith(node) };
      const start = await startEverything(env, node);
      const uiUrl = /Temporal UI +(\S+)/.exec(start.output())![1]!;
      expect(await answersOk(uiUrl)).toBe(true);

      const printed = start.output();
      const headers = [...printed.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
        ([, name, value]) => [name!, value!] as const,
      );
      const response = await fetch(/curl -s (\S+)/.exec(printed)![1]!, {
        method: 'POST',
        headers: Object.fromEntries(headers),
        body: /-d '(.*)'/.exec(printed)![1]!,
      });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('Hello, Ada!');

      const pids = allProcessesOf(start);
      expect(pids.filter(isAlive)).toHaveLength(pids.length);
      const askedAt = Date.now();
      start.signal('SIGINT');
      await eventually(() => start.output().includes('stopping'));
      start.signal('SIGINT');
      expect(await start.exited).toEqual({ code: 0, signal: null });
      expect(Date.now() - askedAt).toBeLessThan(patiently(STOP_WITHIN_MS));
      const stopped = [...start.output().matchAll(/^(\w+) *\| stopped after/gm)].map(([, role]) => role);
      expect(stopped.slice(0, 2)).toEqual(['front', 'worker']);
      expect(stopped.slice(2).sort()).toEqual(['erp', 'postgres', 'temporal']);
      expect(pids.filter(isAlive)).toEqual([]);
    },
    INSTALL_WITHIN_MS + START_WITHIN_MS + STOP_WITHIN_MS,
  );

  it(
    'starts again what dies, and leaves nothing behind when it is killed itself',
    async () => {
      const env = { ...(await ownPlace()), ...bundled() };
      const start = await startEverything(env);
      const worker = processOf(start, 'worker');
      const server = serverProcessOf(start);
      process.kill(worker, 'SIGKILL');
      process.kill(server, 'SIGKILL');
      const url = await readFile(join(env.DATA_DIR, 'database.url'), 'utf8');
      const postgres = postgresProcessOf(start);
      process.kill(postgres, 'SIGKILL');
      await eventually(() => processOf(start, 'worker') !== worker && serverProcessOf(start) !== server, 15_000);
      // Those that have read where it is find it there again.
      await eventually(() => postgresProcessOf(start) !== postgres && isListening(url), 30_000);
      expect(await readFile(join(env.DATA_DIR, 'database.url'), 'utf8')).toBe(url);
      await eventually(() => answersOk(`http://127.0.0.1:${env.WORKER_PORT}/readyz`), 30_000);
      await eventually(() => answersOk(`http://127.0.0.1:${env.PORT}/readyz`), 30_000);
      expect(start.output()).toMatch(/worker +\| ended unexpectedly \(SIGKILL\); starting it again at once/);

      const pids = allProcessesOf(start);
      start.signal('SIGKILL');
      await eventually(() => !pids.some(isAlive), STOP_WITHIN_MS);
    },
    2 * START_WITHIN_MS,
  );

  it('names the port that is taken, its variable and the way out, and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    atScopeEnd(
      () =>
        new Promise((resolve) =>
          other.close(() => {
            resolve();
          }),
        ),
    );
    const { port } = other.address() as AddressInfo;
    const { code, said } = await runToTheEnd({ ...(await ownPlace()), PORT: String(port) });
    expect(code).toBe(1);
    expect(said).toContain(`Port ${String(port)} (PORT, the MCP server) is taken.`);
    expect(said).toContain('or choose another port: PORT=');
    expect(said).not.toContain('started as process');
  });

  it('names every way to Temporal when none works', async () => {
    const { code, said } = await runToTheEnd({
      ...(await ownPlace()),
      PATH: '',
      XDG_CACHE_HOME: await temporaryFolder(),
      TEMPORAL_CLI_PATH: undefined,
      TEMPORAL_DOWNLOAD: 'off',
    });
    expect(code).toBe(1);
    for (const way of [
      'TEMPORAL_ADDRESS=',
      'TEMPORAL_CLI_PATH=',
      'on the PATH',
      'cache:',
      'temporal.download',
      'Go ',
    ]) {
      expect(said).toContain(way);
    }
    expect(said).toContain('download: switched off by TEMPORAL_DOWNLOAD=off');
    expect(said).toContain('go install: go is not on the PATH');
  });
});
