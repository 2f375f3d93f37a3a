/** Fronts and workers of the case catalog as real processes that share a task queue and a principal key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Child } from '../../../support/child.ts';
import { compiledEntry } from '../../../support/compiled-entry.ts';
import { TEST_ENCRYPTION_KEYS } from '../../../support/encryption.ts';
import { freePort } from '../../../support/free-port.ts';
import { startTracked, type RoleProcess } from '../../../support/processes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { bundlePath, temporalAddress } from '../../../support/temporal.ts';
import { LEDGER_NAME } from './ledger-name.ts';

type Env = Readonly<Record<string, string>>;

export interface CaseServer {
  readonly taskQueue: string;
  startFront(env?: Env): Promise<RoleProcess>;
  startWorker(): Promise<Child>;
  /** What the tools have booked for a task, in order. */
  ledgerOf(taskId: string): Promise<readonly string[]>;
}

const SERVE = 'test/e2e/cases/support/serve-cases.ts';

export async function openCaseServer(): Promise<CaseServer> {
  const taskQueue = `test-${randomUUID()}`;
  const dataDir = await temporaryFolder();
  const all: Env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    TASK_QUEUE: taskQueue,
    DATA_DIR: dataDir,
    PRINCIPAL_KEY: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    DRAIN_MS: '2000',
    WORKFLOW_BUNDLE: bundlePath('cases'),
  };
  const start = (role: 'front' | 'worker', env: Env): Promise<Child> =>
    startTracked({
      name: `case ${role}`,
      command: process.execPath,
      args: [compiledEntry(SERVE), role],
      env,
      isReady: (child) => child.output().includes('serving\n'),
    });
  return {
    taskQueue,
    startWorker: () => start('worker', all),
    async ledgerOf(taskId) {
      const lines = (await readFile(join(dataDir, LEDGER_NAME), 'utf8').catch(() => '')).split('\n');
      return lines.filter((line) => line.startsWith(`${taskId} `)).map((line) => line.slice(taskId.length + 1));
    },
    async startFront(env) {
      const port = await freePort();
      const child = await start('front', { ...all, ...env, PORT: String(port) });
      return { ...child, port, url: `http://127.0.0.1:${String(port)}` };
    },
  };
}
