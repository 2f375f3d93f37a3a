/** `npm run worker`: composes one worker process, runs it, drains it on SIGTERM. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { DefaultLogger, Runtime, type LogLevel } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createActivities } from '../activities/index.ts';
import { readAuditKeys } from '../encryption/audit-keys.ts';
import { readKeyRing } from '../encryption/config.ts';
import { digestOf, isSigned, readDecisionKeys, type DecisionKeys } from '../encryption/decision-signing.ts';
import type { KeyRing } from '../encryption/key-ring.ts';
import { readMail, type MailConfig } from '../mail/config.ts';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { ConfigError } from '../protocol/config-error.ts';
import { readStoreConfig } from '../store/config.ts';
import { FolderBlobStore } from '../store/folder-blobs.ts';
import { openUploads } from '../store/uploads.ts';
import { readConfig, type WorkerConfig } from './config.ts';
import { openRecorder } from './recorder.ts';
import { serveOperations } from './operations.ts';
import { createTaskSinks } from './task-metrics.ts';
import { createTaskWorker } from './worker.ts';
import { workflowSource } from './workflow-source.ts';

const { config, keyRing, decisionKeys, auditKeys, databaseUrl, mail } = await readOrExit();
const stderr = pino.destination(2);
// Who read the log may be gone before the drain ends; that must not end it half-way.
stderr.on('error', () => undefined);
const log = pino(
  {
    level: config.logLevel,
    base: { role: 'worker', pid: process.pid },
    // The name under which Temporal logs what went wrong.
    serializers: { error: pino.stdSerializers.err },
  },
  stderr,
);
const coreMetricsAddress = `127.0.0.1:${String(await freePort())}`;

Runtime.install({
  shutdownSignals: [],
  logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
    log[levelOf(level)]({ ...meta }, message);
  }),
  telemetryOptions: {
    metrics: { prometheus: { bindAddress: coreMetricsAddress } },
    // Forwarded, or Temporal's core writes lines of its own that are not JSON.
    logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
  },
});

const registry = new Registry();
const recorder = openRecorder(databaseUrl, auditKeys, log);
const { worker, run, isTemporalReachable } = await createTaskWorker({
  taskQueue: config.taskQueue,
  source: workflowSource(config.workflowBundle),
  activities: createActivities({
    blobs: new FolderBlobStore(config.blobDir),
    erpUrl: config.erpUrl,
    policyFile: config.policyFile,
    invoicePolicyFile: config.invoicePolicyFile,
    uploads: openUploads(config.blobDir),
    mail,
    hiringPolicyFile: config.hiringPolicyFile,
    decisions: { isSigned: (signed) => isSigned(decisionKeys, signed), digestOf },
    acts: recorder,
  }),
  sinks: createTaskSinks(registry),
  drainMs: config.drainMs,
  variables: config.variables,
  keyRing,
  ...(config.maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows: config.maxCachedWorkflows }),
});
const operations = await serveOperations({
  worker,
  isTemporalReachable,
  registry,
  coreMetricsUrl: `http://${coreMetricsAddress}/metrics`,
  host: config.host,
  port: config.port,
});
const running = run();
log.info({ url: operations.url, taskQueue: config.taskQueue }, 'worker is running');
closeWithGrace({ delay: config.drainMs + 3_000, logger: false }, async ({ err }) => {
  if (err) log.error({ err }, 'worker stops after an error');
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await running;
  operations.close();
  await recorder?.close();
});
await running;

async function readOrExit(): Promise<{
  config: WorkerConfig;
  keyRing: KeyRing | undefined;
  decisionKeys: DecisionKeys;
  auditKeys: AuditKeys;
  databaseUrl: string | undefined;
  mail: MailConfig | undefined;
}> {
  try {
    const config = readConfig();
    const { variables } = config;
    const { databaseUrl } = await readStoreConfig(variables);
    const decisionKeys = await readDecisionKeys(variables);
    const auditKeys = await readAuditKeys(variables, decisionKeys);
    const mail = await readMail(variables);
    return { config, keyRing: await readKeyRing(variables), decisionKeys, auditKeys, databaseUrl, mail };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** Temporal's core cannot be asked which port it took. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}

function levelOf(level: LogLevel): 'trace' | 'debug' | 'info' | 'warn' | 'error' {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  return levels[level];
}
