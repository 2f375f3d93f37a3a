/** Fronts and workers of the case catalog as real processes that share a task queue and a principal key. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Child } from '../../../support/child.ts';
import { freePort } from '../../../support/free-port.ts';
import { startTracked, temporaryFolder, type RoleProcess } from '../../../support/processes.ts';
import { temporalAddress } from '../../../support/temporal.ts';

type Env = Readonly<Record<string, string>>;

export interface CaseServer {
  readonly taskQueue: string;
  startFront(env?: Env): Promise<RoleProcess>;
  startWorker(): Promise<Child>;
}

const SERVE = 'test/e2e/cases/support/serve-cases.ts';

export async function openCaseServer(): Promise<CaseServer> {
  const taskQueue = `test-${randomUUID()}`;
  const all: Env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    TASK_QUEUE: taskQueue,
    DATA_DIR: await temporaryFolder(),
    PRINCIPAL_KEY: randomBytes(32).toString('hex'),
    DRAIN_MS: '2000',
  };
  const start = (role: 'front' | 'worker', env: Env): Promise<Child> =>
    startTracked({
      name: `case ${role}`,
      command: process.execPath,
      args: ['--import', 'tsx', SERVE, role],
      env,
      isReady: (child) => child.output().includes('serving\n'),
    });
  return {
    taskQueue,
    startWorker: () => start('worker', all),
    async startFront(env) {
      const port = await freePort();
      const child = await start('front', { ...all, ...env, PORT: String(port) });
      return { ...child, port, url: `http://127.0.0.1:${String(port)}` };
    },
  };
}
