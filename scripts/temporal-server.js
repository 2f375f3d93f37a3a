/**
 * Temporal's development server on a database file, with its UI. `npm run temporal` runs it alone; `npm start` runs it
 * with `--unprepared` and prepares the namespace itself.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readCodecToken } from './codec-token.js';
import { serverArguments } from './server-settings.js';
import { tryLock } from './lock.js';
import { prepareNamespace, SEARCH_ATTRIBUTES } from './namespace.js';
import { anyFreePort, requireFreePorts } from './ports.js';
import { PROJECT_ROOT, readSettings, setting } from './settings.js';
import { exitWith, SetupError } from './setup-error.js';
import { setUp } from './setup.js';
import { spawnTied } from './spawn-tied.js';
import { openUiDoor } from './ui-door.js';
import { CODEC_PATH, TASKS_PATH } from './ui-link.js';

const HOST = '127.0.0.1';
const PREPARE_WITHIN_MS = 30_000;

try {
  await runTemporal(process.argv.includes('--unprepared'));
} catch (error) {
  exitWith(error);
}

async function runTemporal(unprepared) {
  const settings = readSettings();
  const { temporalPort: port, temporalUiPort, temporalDatabase, namespace, taskQueue, dataDir } = settings;
  // This is the server that others are pointed at: an address in the environment is not one to use instead.
  const temporal = await setUp({ temporal: true, env: { ...process.env, TEMPORAL_ADDRESS: '' } });
  await requireFreePorts([
    { port, host: HOST, variable: 'TEMPORAL_PORT', what: 'Temporal' },
    { port: temporalUiPort, host: HOST, variable: 'TEMPORAL_UI_PORT', what: 'the Temporal UI' },
  ]);
  mkdirSync(dirname(temporalDatabase), { recursive: true, mode: 0o700 });
  const lock = tryLock(`${temporalDatabase}.lock`);
  if ('holder' in lock) {
    throw new SetupError(
      `The database ${temporalDatabase} is in use by process ${lock.holder}.\n` +
        'Stop that one, or give this one a folder of its own: DATA_DIR=.data-2',
    );
  }
  process.once('exit', lock.release);

  const uiPort = await anyFreePort(HOST);
  await openUiDoor({
    ...{ host: HOST, port: temporalUiPort, namespace, taskQueue },
    ui: { host: HOST, port: uiPort },
    front: { host: settings.host, port: settings.port },
    codecToken: () => readCodecToken(dataDir),
  });
  const args = ['server', 'start-dev', '--ip', HOST, '--port', String(port), '--ui-port', String(uiPort)];
  args.push('--db-filename', temporalDatabase, '--log-level', 'error', ...serverArguments());
  if (setting(process.env, 'ENCRYPTION') !== 'off') args.push('--ui-codec-endpoint', CODEC_PATH);
  if (namespace !== 'default') args.push('--namespace', namespace);
  for (const [name, { type }] of Object.entries(SEARCH_ATTRIBUTES)) args.push('--search-attribute', `${name}=${type}`);
  const child = spawnTied(temporal.path, args, {
    signal: 'TERM',
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: PROJECT_ROOT,
  });

  console.log(`Temporal runs as process ${child.pid} on ${temporalDatabase}`);

  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      asked = true;
      child.kill('SIGTERM');
    });
  }
  // While it stops, the server reports each of its own loops being cut off as an error.
  child.stderr.on('data', (chunk) => asked || process.stderr.write(chunk));
  process.once('exit', () => child.kill('SIGTERM'));
  child.once('error', (error) => exitWith(new SetupError(`Temporal could not be started: ${error.message}`)));
  child.once('exit', (code, signal) => process.exit(asked ? 0 : (code ?? (signal === null ? 0 : 1))));

  if (unprepared) return;
  process.env.TEMPORAL_ADDRESS = `${HOST}:${port}`;
  for (const line of await prepareNamespace({ owned: true, waitMs: PREPARE_WITHIN_MS })) {
    console.log(`Temporal: ${line}.`);
  }
  console.log(`Temporal listens on ${HOST}:${port}; its UI: http://${HOST}:${temporalUiPort}${TASKS_PATH}`);
}
