/** The processes of `npm start`: how each is run, when it is ready, and how long it may take to stop. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isListening } from './ports.js';
import { setting } from './settings.js';

const LOOPBACK = '127.0.0.1';
const ANSWERS_WITHIN_MS = 2_000;
const READY_WITHIN_MS = 60_000;
/** Together with the time to exit, less than the ten seconds that Ctrl-C may take. */
const STOP_WITHIN_MS = { front: 3_000, worker: 3_800, erp: 500, temporal: 2_300, postgres: 2_300 };
/** What front and worker stand on. These parts know nothing of one another, so that they stop side by side. */
const FOUNDATIONS = ['temporal', 'erp', 'postgres'];
/** What open requests and running activities are given, so that front and worker end by themselves. */
const LOCAL_DRAIN_MS = 2_000;

/**
 * In the order of starting. An existing Temporal or Postgres, or an ERP of one's own, is not started.
 * @returns {(import('./supervisor.js').ProcessSpec & { ports: object[] })[]}
 */
export function processSpecs(settings, temporal, env = process.env) {
  const address = temporal.address ?? `${LOOPBACK}:${settings.temporalPort}`;
  const erpUrl = settings.erpUrl ?? `http://${LOOPBACK}:${settings.erpPort}`;
  const common = {
    ...env,
    DRAIN_MS: setting(env, 'DRAIN_MS') ?? String(LOCAL_DRAIN_MS),
    TEMPORAL_ADDRESS: address,
    DATA_DIR: settings.dataDir,
    BLOB_DIR: settings.blobDir,
    ERP_URL: erpUrl,
  };
  const specs = [];
  if (settings.ownsDatabase) specs.push(postgresSpec(settings, common));
  if (temporal.address === undefined) {
    specs.push({
      name: 'temporal',
      args: ['scripts/temporal-server.js', '--unprepared'],
      env: { ...common, TEMPORAL_ADDRESS: '', TEMPORAL_CLI_PATH: temporal.path },
      isReady: () => isListening(settings.temporalPort, LOOPBACK),
      ports: [
        {
          port: settings.temporalPort,
          host: LOOPBACK,
          variable: 'TEMPORAL_PORT',
          what: 'Temporal',
          hint: `If a Temporal of yours runs there, use it: TEMPORAL_ADDRESS=${LOOPBACK}:${settings.temporalPort}.`,
        },
        { port: settings.temporalUiPort, host: LOOPBACK, variable: 'TEMPORAL_UI_PORT', what: 'the Temporal UI' },
      ],
    });
  }
  if (settings.erpUrl === undefined) {
    specs.push({
      name: 'erp',
      args: ['--import', 'tsx', 'demo/erp/main.ts'],
      env: {
        ...common,
        ERP_PORT: String(settings.erpPort),
      },
      isReady: () => answers(`${erpUrl}/healthz`),
      ports: [{ port: settings.erpPort, host: LOOPBACK, variable: 'ERP_PORT', what: 'the demo ERP' }],
    });
  }
  specs.push(
    {
      name: 'worker',
      args: ['--import', 'tsx', 'worker/main.ts'],
      env: { ...common, WORKER_PORT: String(settings.workerPort) },
      isReady: () => answers(`http://${LOOPBACK}:${settings.workerPort}/readyz`),
      ports: [{ port: settings.workerPort, host: LOOPBACK, variable: 'WORKER_PORT', what: "the worker's health page" }],
    },
    {
      name: 'front',
      args: ['--import', 'tsx', 'server/main.ts'],
      env: { ...common, HOST: settings.host, PORT: String(settings.port) },
      isReady: () => answers(`${frontUrl(settings)}/readyz`),
      ports: [{ port: settings.port, host: settings.host, variable: 'PORT', what: 'the MCP server' }],
    },
  );
  return specs.map((spec) => ({
    ...spec,
    readyWithinMs: READY_WITHIN_MS,
    stopWithinMs: STOP_WITHIN_MS[spec.name],
    stopsBeside: FOUNDATIONS.includes(spec.name),
  }));
}

/** It is ready when it has written where it listens, and not because of what an earlier one has written. */
function postgresSpec({ postgresPort, dataDir }, env) {
  const since = Date.now();
  return {
    name: 'postgres',
    args: ['--import', 'tsx', 'store/embedded-main.ts'],
    env,
    isReady: () => isWrittenSince(join(dataDir, 'database.url'), since),
    ports:
      postgresPort === undefined
        ? []
        : [{ port: postgresPort, host: LOOPBACK, variable: 'POSTGRES_PORT', what: 'Postgres' }],
  };
}

async function isWrittenSince(file, since) {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs >= since,
    () => false,
  );
}

export function frontUrl({ host, port }) {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function answers(url) {
  // `AbortSignal.timeout` keeps no process alive, and neither does a fetch whose connection was reset as soon as it stood.
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(), ANSWERS_WITHIN_MS);
  try {
    return (await fetch(url, { signal: tooLong.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
