/**
 * Server and worker in one process on the fixture catalog, over HTTP, or with `--stdio` over stdin and stdout. The
 * environment is the front's own (`HOST`, `PORT`, `DATA_DIR`, `TASK_QUEUE`, `TEMPORAL_ADDRESS`); `WORKFLOW_BUNDLE` names a
 * prebuilt bundle.
 */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { Registry } from 'prom-client';
import { createActivities } from '../../activities/index.ts';
import { testDecisions } from '../support/decisions.ts';
import { readConfig } from '../../server/config.ts';
import { openGate } from '../../server/auth/gate.ts';
import { createFront } from '../../server/front.ts';
import { localCaller } from '../../server/local-caller.ts';
import { createLog } from '../../server/log.ts';
import { createStdioServer } from '../../server/stdio.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { createTaskSinks } from '../../worker/task-metrics.ts';
import { createTaskWorker } from '../../worker/worker.ts';
import { resources } from './resources.ts';
import { catalog } from './tools/index.ts';

/** The fixtures touch no outside system: nobody listens here. */
const NO_ERP = 'http://127.0.0.1:9';

/** Short enough that a call of two seconds is heard of several times. */
const PROGRESS_INTERVAL_MS = 150;

const config = await readConfig();
const { taskQueue, principalRing, resultRetentionMs } = config;
const keyRing = config.encryption?.keyRing;
const caller = localCaller(...principalRing);
const bundle = process.env['WORKFLOW_BUNDLE'];
Runtime.install({
  logger: new DefaultLogger('WARN'),
  shutdownSignals: [],
  // Forwarded, or Temporal's core writes lines of its own to stdout, where a client over stdio reads frames.
  telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
});

const blobs = new FolderBlobStore(config.blobDir);
const taskWorker = await createTaskWorker({
  taskQueue,
  source:
    bundle === undefined
      ? { workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)) }
      : { workflowBundle: { codePath: bundle } },
  activities: createActivities({
    blobs,
    erpUrl: NO_ERP,
    policyFile: 'policy/purchase-policy.json',
    decisions: testDecisions,
  }),
  sinks: createTaskSinks(new Registry()),
  drainMs: config.drainMs,
  keyRing,
});
const running = taskWorker.run();

const service = TemporalService.connect(taskQueue, undefined, keyRing);
const serving = {
  config: { ...config, progressIntervalMs: PROGRESS_INTERVAL_MS },
  catalog,
  store: new TemporalTaskStore({ service, principalRing, resultRetentionMs, blobs }),
  health: service,
  blobs,
  log: createLog(config.logLevel),
  caller,
  gate: openGate(caller),
  resourceSource: resources,
};

interface Door {
  /** Resolves when its only client has left. */
  readonly ended: Promise<void>;
  drain(): Promise<void>;
}

async function openDoor(): Promise<Door> {
  if (process.argv.includes('--stdio')) {
    return createStdioServer(serving, { input: process.stdin, output: process.stdout });
  }
  const front = createFront(serving);
  console.log(`The fixture catalog is served at ${await front.listen()}`);
  return { ended: new Promise(() => undefined), drain: () => front.drain() };
}

const door = await openDoor();
const grace = closeWithGrace({ delay: config.drainMs + 3_000, logger: false }, async ({ err }) => {
  if (err !== undefined) console.error(err);
  await door.drain();
  if (taskWorker.worker.getState() === 'RUNNING') taskWorker.worker.shutdown();
  await running;
  await service.close();
});
void door.ended.then(() => grace.close());
