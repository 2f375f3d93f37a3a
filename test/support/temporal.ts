/** The run's Temporal, for tests that drive workflows without HTTP. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createTaskSinks } from '../../worker/task-metrics.ts';
import { testDataConverter } from './encryption.ts';
import { atScopeEnd } from './scope.ts';

export interface TestTemporal {
  readonly address: string;
  readonly client: Client;
  /** Nobody else's: make one for each test file. */
  readonly taskQueue: string;
}

const BUNDLES = {
  product: 'TEST_PRODUCT_BUNDLE',
  fixtures: 'TEST_FIXTURES_BUNDLE',
  cases: 'TEST_CASES_BUNDLE',
} as const;
export type BundledCatalog = keyof typeof BUNDLES;

export interface TestWorker {
  readonly worker: Worker;
  /** Finishes what runs, polls no more. Harmless when repeated. */
  stop(): Promise<void>;
}

let isRuntimeInstalled = false;

export function temporalAddress(): string {
  return fromGlobalSetup('TEST_TEMPORAL_ADDRESS');
}

/** The workflow bundle that the global set-up has built for the whole run. */
export function bundlePath(catalog: BundledCatalog): string {
  return fromGlobalSetup(BUNDLES[catalog]);
}

/** A connection that reads what the tests' processes wrote, and closes with the test or file that opened it. */
export async function openTemporal(address = temporalAddress()): Promise<TestTemporal> {
  const connection = await Connection.connect({ address });
  atScopeEnd(() => connection.close());
  return {
    address,
    client: new Client({ connection, dataConverter: testDataConverter }),
    taskQueue: `test-${randomUUID()}`,
  };
}

export interface TestWorkerOptions extends Omit<WorkerOptions, 'connection' | 'workflowBundle' | 'workflowsPath'> {
  readonly catalog: BundledCatalog;
  /** Default: the run's Temporal. */
  readonly address?: string;
}

/** Polls until it is stopped, or until the test or file that made it ends; fails that one when it does not stop. */
export async function createTestWorker({ catalog, address, ...options }: TestWorkerOptions): Promise<TestWorker> {
  installTestRuntime();
  const connection = await NativeConnection.connect({ address: address ?? temporalAddress() });
  const worker = await Worker.create({
    shutdownForceTime: '5s',
    sinks: createTaskSinks(new Registry()),
    dataConverter: testDataConverter,
    ...options,
    connection,
    workflowBundle: { codePath: bundlePath(catalog) },
  });
  const running = worker.run();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
      await connection.close();
    })();
    return stopping;
  };
  atScopeEnd(stop);
  return { worker, stop };
}

/** Once in a process, before the first connection; only errors are worth reading among test results. */
export function installTestRuntime(): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
}

function fromGlobalSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run this test in a Jest project with the global set-up.`);
  return value;
}
