/** The product as real processes on a Temporal of its own, with a database file; ended in reverse order. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../scripts/temporal.js';
import { localCaller } from '../../server/local-caller.ts';
import { answersOk, startChild, type Child } from '../support/child.ts';
import { startDevServer } from '../support/dev-server.ts';
import { freePort } from '../support/free-port.ts';

export interface BenchSystem {
  /** What Temporal keeps its state in. */
  readonly store: string;
  /** Nobody polls it: what is started there stays as it was started. */
  readonly idleQueue: string;
  /** Sync budget 0, on the idle queue. */
  readonly idleFront: Part;
  /** The default budget, on the worker's queue. */
  readonly front: Part;
  readonly worker: Part;
  readonly workflowIdOf: (taskId: string) => string;
}

export interface Part {
  readonly origin: string;
  readonly child: Child;
}

type Env = Readonly<Record<string, string>>;
/** The newest first. */
export type Endings = (() => Promise<unknown>)[];

/** Nobody listens there: the jobs of the bench stop before they would need an ERP. */
const NO_ERP = 'http://127.0.0.1:9';

export async function startBenchSystem(endings: Endings): Promise<BenchSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-bench-'));
  endings.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const bundle = join(folder, 'bundle.js');
  const [store] = await Promise.all([startTemporal(folder, endings), buildBundle(bundle)]);
  const principalKey = randomBytes(32);
  const shared: Env = {
    DATA_DIR: folder,
    PRINCIPAL_KEY: principalKey.toString('hex'),
    ERP_URL: NO_ERP,
    LOG_LEVEL: 'warn',
    WORKFLOW_BUNDLE: bundle,
  };
  const run = randomBytes(4).toString('hex');
  const [idle, busy] = [`bench-idle-${run}`, `bench-${run}`];
  const start = async (entry: string, portVariable: string, env: Env): Promise<Part> => {
    const part = await startPart(entry, portVariable, { ...shared, ...env });
    endings.unshift(() => part.child.end());
    return part;
  };
  const worker = await start('worker/main.ts', 'WORKER_PORT', { TASK_QUEUE: busy });
  const front = await start('server/main.ts', 'PORT', { TASK_QUEUE: busy });
  const idleFront = await start('server/main.ts', 'PORT', { TASK_QUEUE: idle, SYNC_BUDGET_MS: '0' });
  const { principal } = localCaller(principalKey);
  return { store, idleQueue: idle, idleFront, front, worker, workflowIdOf: (id) => `mcp-task/${principal}/${id}` };
}

/** Unless TEMPORAL_ADDRESS names one. Its address goes into the environment, which all parts inherit. */
async function startTemporal(folder: string, endings: Endings): Promise<string> {
  const found = await findTemporal();
  if (!('path' in found)) return 'the Temporal at TEMPORAL_ADDRESS';
  process.env['TEMPORAL_CLI_PATH'] = found.path;
  const server = await startDevServer({ databaseFile: join(folder, 'temporal.db') });
  endings.unshift(() => server.end());
  process.env['TEMPORAL_ADDRESS'] = server.address;
  return 'dev server, SQLite file';
}

async function buildBundle(file: string): Promise<void> {
  const build = await startChild({
    name: 'the workflow bundle',
    command: process.execPath,
    args: ['--import', 'tsx', 'worker/build-workflow-bundle.ts', file],
    isReady: () => true,
  });
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`The workflow bundle could not be built:\n${build.output()}`);
}

async function startPart(entry: string, portVariable: string, env: Env): Promise<Part> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const child = await startChild({
    name: entry,
    command: process.execPath,
    args: ['--import', 'tsx', entry],
    env: { ...env, [portVariable]: port },
    isReady: () => answersOk(`${origin}/readyz`),
    readyWithinMs: 60_000,
  });
  return { origin, child };
}

/** Resident memory in MiB; `undefined` where the system has no /proc. */
export async function residentMiB({ child }: Part): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? undefined : Math.round(Number(kib) / 1_024);
  } catch {
    return undefined;
  }
}
