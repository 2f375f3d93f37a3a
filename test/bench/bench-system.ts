/** The product as real processes on a Temporal of its own, with a database file; ended in reverse order. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCaller } from '../../server/local-caller.ts';
import { startPart, startTemporal, type Endings, type Env, type Part } from '../support/parts.ts';
import { buildWorkflowBundle } from '../support/workflow-bundles.ts';
import { WORKFLOWS_PATH } from '../../worker/workflow-source.ts';

export interface BenchSystem {
  /** What Temporal keeps its state in. */
  readonly store: string;
  /** Nobody polls it: what is started there stays as it was started. */
  readonly idleQueue: string;
  /** Sync budget 0, on the idle queue. */
  readonly idleFront: Part;
  /** On the idle queue: what no front can do without. */
  readonly bareFront: Part;
  /** The default budget, on the worker's queue. */
  readonly front: Part;
  readonly worker: Part;
  readonly workflowIdOf: (taskId: string) => string;
}

/** Nobody listens there: the jobs of the bench stop before they would need an ERP. */
const NO_ERP = 'http://127.0.0.1:9';

export async function startBenchSystem(endings: Endings): Promise<BenchSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-bench-'));
  endings.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const bundle = join(folder, 'bundle.js');
  const [store] = await Promise.all([startTemporal(folder, endings), buildWorkflowBundle(WORKFLOWS_PATH, bundle)]);
  const principalKey = randomBytes(32);
  const shared: Env = {
    DATA_DIR: folder,
    PRINCIPAL_KEY: principalKey.toString('hex'),
    ERP_URL: NO_ERP,
    LOG_LEVEL: 'warn',
    WORKFLOW_BUNDLE: bundle,
    // One caller that asks as fast as it can.
    LIMIT_CALLS_PER_MINUTE: '1000000000',
    LIMIT_POLLS_PER_SECOND: '1000000000',
    LIMIT_OPEN_TASKS: '1000000000',
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
  const bareFront = await start('test/bench/bare-front.ts', 'PORT', { TASK_QUEUE: idle });
  const { principal } = localCaller(principalKey);
  return {
    store,
    idleQueue: idle,
    idleFront,
    bareFront,
    front,
    worker,
    workflowIdOf: (id) => `mcp-task/${principal}/${id}`,
  };
}
