/**
 * Temporal's development server on a database file, with its UI. `npm run temporal` runs it alone; `npm start` runs it
 * with `--unprepared` and prepares the namespace itself.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { findOnPath } from './find-on-path.js';
import { tryLock } from './lock.js';
import { prepareNamespace, SEARCH_ATTRIBUTES } from './namespace.js';
import { anyFreePort, requireFreePorts } from './ports.js';
import { PROJECT_ROOT, readSettings } from './settings.js';
import { exitWith, SetupError } from './setup-error.js';
import { setUp } from './setup.js';
import { openUiDoor } from './ui-door.js';
import { TASKS_PATH } from './ui-link.js';

const HOST = '127.0.0.1';
const PREPARE_WITHIN_MS = 30_000;

try {
  await runTemporal(process.argv.includes('--unprepared'));
} catch (error) {
  exitWith(error);
}

async function runTemporal(unprepared) {
  const settings = readSettings();
  const { temporalPort: port, temporalUiPort, temporalDatabase, namespace, taskQueue } = settings;
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
  await openUiDoor({ host: HOST, port: temporalUiPort, uiPort, namespace, taskQueue });
  const args = ['server', 'start-dev', '--ip', HOST, '--port', String(port), '--ui-port', String(uiPort)];
  args.push('--db-filename', temporalDatabase, '--log-level', 'error');
  if (namespace !== 'default') args.push('--namespace', namespace);
  for (const [name, { type }] of Object.entries(SEARCH_ATTRIBUTES)) args.push('--search-attribute', `${name}=${type}`);
  const child = spawnTied(temporal.path, args);

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

/** The server is not a Node.js process, so nothing inside it watches this one; on Linux the kernel does. */
function spawnTied(path, args) {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  const [command, commandArgs] =
    setpriv === undefined ? [path, args] : [setpriv, ['--pdeathsig', 'TERM', '--', path, ...args]];
  return spawn(command, commandArgs, { stdio: ['ignore', 'ignore', 'pipe'], cwd: PROJECT_ROOT });
}
