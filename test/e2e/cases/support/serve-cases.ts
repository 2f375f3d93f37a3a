/** `serve-cases.ts front|worker`: one process of the case catalog. The environment is the front's own. */
import { join } from 'node:path';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { Registry } from 'prom-client';
import { createActivities } from '../../../../activities/index.ts';
import { testDecisions } from '../../../support/decisions.ts';
import { readConfig } from '../../../../server/config.ts';
import { openGate } from '../../../../server/auth/gate.ts';
import { createFront } from '../../../../server/front.ts';
import { localCaller } from '../../../../server/local-caller.ts';
import { createLog } from '../../../../server/log.ts';
import { TemporalService } from '../../../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../../../store/folder-blobs.ts';
import { createTaskSinks } from '../../../../worker/task-metrics.ts';
import { createTaskWorker } from '../../../../worker/worker.ts';
import { createCaseActivities } from './case-activities.ts';
import { LEDGER_NAME } from './ledger-name.ts';
import { catalog } from './case-tools.ts';

/** The case tools touch no outside system: nobody listens here. */
const NO_ERP = 'http://127.0.0.1:9';

const config = await readConfig();
const { taskQueue, principalRing, resultRetentionMs } = config;
const keyRing = config.encryption?.keyRing;
const blobs = new FolderBlobStore(config.blobDir);

async function serveFront(): Promise<() => Promise<void>> {
  const service = TemporalService.connect(taskQueue, undefined, keyRing);
  const store = new TemporalTaskStore({ service, principalRing, resultRetentionMs, blobs });
  const gate = openGate(localCaller(...principalRing));
  const log = createLog(config.logLevel);
  const front = createFront({ config, catalog, store, health: service, blobs, log, gate });
  await front.listen();
  return async () => {
    await front.drain();
    await service.close();
  };
}

async function serveWorker(): Promise<() => Promise<void>> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const { worker, run } = await createTaskWorker({
    taskQueue,
    source: { workflowBundle: { codePath: process.env['WORKFLOW_BUNDLE'] ?? '' } },
    activities: {
      ...createActivities({ blobs, erpUrl: NO_ERP, decisions: testDecisions }),
      ...createCaseActivities({ blobs, ledgerFile: join(config.dataDir, LEDGER_NAME) }),
    },
    sinks: createTaskSinks(new Registry()),
    drainMs: config.drainMs,
    keyRing,
  });
  const running = run();
  return async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
  };
}

const end = await (process.argv[2] === 'worker' ? serveWorker() : serveFront());
process.stdout.write('serving\n');

closeWithGrace({ delay: config.drainMs + 3_000, logger: false }, async ({ err }) => {
  if (err !== undefined) process.stderr.write(`${String(err)}\n`);
  await end();
});
