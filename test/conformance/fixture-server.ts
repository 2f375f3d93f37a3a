/**
 * Front and worker in one process on the fixture catalog. The environment is the front's own (`HOST`, `PORT`, `DATA_DIR`,
 * `TASK_QUEUE`, `TEMPORAL_ADDRESS`); `WORKFLOW_BUNDLE` names a prebuilt bundle.
 */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { Registry } from 'prom-client';
import { createActivities } from '../../activities/index.ts';
import { readConfig } from '../../server/config.ts';
import { createFront } from '../../server/front.ts';
import { localCaller } from '../../server/local-caller.ts';
import { createLog } from '../../server/log.ts';
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
const PROGRESS_INTERVAL_MS = 400;

const config = await readConfig();
const { taskQueue, principalKey, resultRetentionMs } = config;
const bundle = process.env['WORKFLOW_BUNDLE'];
Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });

const blobs = new FolderBlobStore(config.blobDir);
const taskWorker = await createTaskWorker({
  taskQueue,
  source:
    bundle === undefined
      ? { workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)) }
      : { workflowBundle: { codePath: bundle } },
  activities: createActivities({ blobs, erpUrl: NO_ERP, policyFile: 'policy/purchase-policy.json' }),
  sinks: createTaskSinks(new Registry()),
  drainMs: config.drainMs,
});
const running = taskWorker.run();

const service = TemporalService.connect(taskQueue);
const front = createFront({
  config: { ...config, progressIntervalMs: PROGRESS_INTERVAL_MS },
  catalog,
  store: new TemporalTaskStore({ service, principalKey, resultRetentionMs, blobs }),
  health: service,
  blobs,
  log: createLog(config.logLevel),
  caller: localCaller(principalKey),
  resourceSource: resources,
});
console.log(`The fixture catalog is served at ${await front.listen()}`);

closeWithGrace({ delay: config.drainMs + 3_000, logger: false }, async ({ err }) => {
  if (err !== undefined) console.error(err);
  await front.drain();
  if (taskWorker.worker.getState() === 'RUNNING') taskWorker.worker.shutdown();
  await running;
  await service.close();
});
