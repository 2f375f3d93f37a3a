/** A Temporal dev server of the test's own: in memory, or on a database file that survives `kill -9`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../scripts/namespace.js';
import { serverArguments } from '../../scripts/server-settings.js';
import { startChild, type Child } from './child.ts';
import { freePort } from './free-port.ts';

export interface DevServerOptions {
  /** Left out: in memory. */
  readonly databaseFile?: string;
  /** Default: a free one. A restart keeps it. */
  readonly port?: number;
}

export interface DevServer {
  readonly address: string;
  readonly pid: () => number;
  readonly output: () => string;
  kill9(): Promise<void>;
  /** On the same port and database file. */
  restart(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  end(): Promise<void>;
}

const ATTRIBUTES = Object.entries(SEARCH_ATTRIBUTES).map(([name, { type }]) => `${name}=${type}`);
/** As long as results are kept by default. */
const RETENTION = '168h';
/** An eighth of the processor time that Temporal takes in a run is Go's collecting of garbage, at Go's defaults. */
const GO_MEMORY = { GOGC: '800', GOMEMLIMIT: '2GiB' };

export async function startDevServer(options: DevServerOptions = {}): Promise<DevServer> {
  const port = options.port ?? (await freePort());
  const address = `127.0.0.1:${String(port)}`;
  const start = (): Promise<Child> => startTemporal(port, options.databaseFile);
  let child = await start();
  await setRetention(address);
  return {
    address,
    pid: () => child.pid,
    output: () => child.output(),
    signal: (signal) => {
      child.signal(signal);
    },
    kill9: async () => {
      child.signal('SIGKILL');
      await child.exited;
    },
    restart: async () => {
      child = await start();
    },
    end: async () => {
      if (child.isRunning()) await child.end(5_000);
    },
  };
}

function startTemporal(port: number, databaseFile: string | undefined): Promise<Child> {
  return startChild({
    name: 'Temporal',
    command: temporalCli(),
    args: [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...serverArguments(),
      ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
      ...ATTRIBUTES.flatMap((attribute) => ['--search-attribute', attribute]),
    ],
    env: GO_MEMORY,
    isReady: () => hasNamespace(`127.0.0.1:${String(port)}`),
    readyWithinMs: 30_000,
  });
}

async function hasNamespace(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    const describe = (): Promise<unknown> => connection.workflowService.describeNamespace({ namespace: 'default' });
    try {
      await connection.withDeadline(Date.now() + 2_000, describe);
    } finally {
      await connection.close();
    }
    return true;
  } catch {
    return false; // Not there yet; the caller asks again until its deadline.
  }
}

async function setRetention(address: string): Promise<void> {
  const args = ['operator', 'namespace', 'update', '--namespace', 'default', '--retention', RETENTION];
  await promisify(execFile)(temporalCli(), [...args, '--address', address]);
}

function temporalCli(): string {
  const command = process.env['TEMPORAL_CLI_PATH'];
  if (command === undefined) throw new Error('TEMPORAL_CLI_PATH is not set: the global set-up finds the Temporal CLI.');
  return command;
}
