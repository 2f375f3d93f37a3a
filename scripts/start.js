/** `npm start`: everything on one machine, set up from a fresh clone, kept running, and stopped in order. */
import { mkdirSync } from 'node:fs';
import { requireFreePorts } from './ports.js';
import { processSpecs } from './processes.js';
import { PROJECT_ROOT, readSettings } from './settings.js';
import { exitWith, SetupError } from './setup-error.js';
import { setUp } from './setup.js';
import { createSupervisor } from './supervisor.js';
import { runCommand } from './run-command.js';
import { welcome } from './welcome.js';

const NAME_WIDTH = 8;
const PREPARE_WITHIN_MS = 30_000;
const NPM_WATCH_INTERVAL_MS = 1_000;

const say = (name, line) => console.log(`${name.padEnd(NAME_WIDTH)} | ${line}`);
const supervisor = createSupervisor({ say });
let ending = false;

try {
  await start();
} catch (error) {
  if (!ending) {
    await supervisor.stopAll();
    exitWith(error);
  }
}

async function start() {
  const settings = readSettings();
  const temporal = await setUp({ temporal: true, say: (line) => say('setup', line) });
  const ownsTemporal = 'path' in temporal;
  const specs = processSpecs(settings, temporal);
  await requireFreePorts(specs.flatMap((spec) => spec.ports));
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });

  // From here on there is something to stop; before, the default of a signal is right.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
  endWithNpm();

  const [worker, front] = ['worker', 'front'].map((name) => specs.find((spec) => spec.name === name));
  say('setup', settings.ownsDatabase ? 'using a Postgres of its own' : 'using the Postgres of DATABASE_URL');
  say(
    'setup',
    ownsTemporal ? `using ${temporal.version} (${temporal.source})` : `using Temporal at ${temporal.address}`,
  );
  await Promise.all(specs.filter((spec) => spec !== worker && spec !== front).map(supervisor.start));
  if (ending) return;
  await prepareNamespace(front.env, ownsTemporal);
  if (ending) return;
  await Promise.all([supervisor.start(worker), supervisor.start(front)]);
  if (ending) return;
  console.log(welcome(settings, ownsTemporal));
}

/** In a process of its own: the Temporal client would stay in this one's memory for as long as it runs. */
async function prepareNamespace(env, owned) {
  const args = ['scripts/prepare-namespace.js', '--wait-ms', String(PREPARE_WITHIN_MS), ...(owned ? ['--owned'] : [])];
  const { ok, output } = await runCommand(process.execPath, args, {
    timeoutMs: 2 * PREPARE_WITHIN_MS,
    cwd: PROJECT_ROOT,
    env,
  });
  if (!ok) throw new SetupError(output.trim());
  for (const line of output.split('\n').filter(Boolean)) say('setup', line);
}

/** An npm that is killed cannot pass that on; without it nobody would know whom to stop. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || void end(), NPM_WATCH_INTERVAL_MS).unref();
}

async function end() {
  if (ending) return;
  ending = true;
  say('setup', 'stopping');
  await supervisor.stopAll();
  process.exit(0);
}
