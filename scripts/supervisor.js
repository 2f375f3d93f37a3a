/**
 * Keeps a set of processes running: starts them in order, starts one again when it dies, and stops them in the opposite
 * order, side by side where they may. Each child is the leader of a process group of its own, so that a terminal's Ctrl-C
 * reaches only this process and the order of stopping is kept; `tied-to-parent.js` ends the children when this process is
 * killed.
 */
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forwardLines } from './log-lines.js';
import { PROJECT_ROOT } from './settings.js';
import { SetupError } from './setup-error.js';

const TIED = fileURLToPath(new URL('./tied-to-parent.js', import.meta.url));
const POLL_INTERVAL_MS = 100;
/** The first death is mended at once; one that keeps dying must not keep the machine busy. */
const RESTART_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];
/** After this long alive, the next death counts as the first. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * @typedef {object} ProcessSpec
 * @property {string} name
 * @property {string[]} args arguments of node
 * @property {NodeJS.ProcessEnv} env
 * @property {() => Promise<boolean>} isReady
 * @property {number} readyWithinMs
 * @property {number} stopWithinMs after which it is killed
 * @property {boolean} [stopsBeside] at the same time as its neighbours of which that is true as well
 */

/** @param {{ say: (name: string, line: string) => void }} options */
export function createSupervisor({ say }) {
  const running = [];
  let stopping = false;

  /**
   * Resolves when the process is ready. From then on it is kept running.
   * @param {ProcessSpec} spec
   * @throws SetupError when it ends, or is not ready in time, before it was ever ready
   */
  async function start(spec) {
    const entry = { spec, child: launch(spec), wasReady: false, deaths: 0, startedAt: Date.now() };
    running.push(entry);
    watch(entry);
    const deadlineAt = Date.now() + spec.readyWithinMs;
    while (!stopping) {
      if (hasEnded(entry.child)) throw new SetupError(`${spec.name} could not start; its own message stands above.`);
      if (await spec.isReady()) break;
      if (Date.now() > deadlineAt) {
        throw new SetupError(`${spec.name} was not ready within ${spec.readyWithinMs / 1000} s; see its lines above.`);
      }
      await delay(POLL_INTERVAL_MS);
    }
    entry.wasReady = true;
  }

  function launch(spec) {
    const child = spawn(process.execPath, ['--import', TIED, ...spec.args], {
      cwd: PROJECT_ROOT,
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    forwardLines(child.stdout, (line) => say(spec.name, line));
    forwardLines(child.stderr, (line) => say(spec.name, line));
    child.on('error', (error) => say(spec.name, error.message));
    say(spec.name, `started as process ${child.pid}`);
    return child;
  }

  function watch(entry) {
    entry.child.once('exit', (code, signal) => {
      if (stopping || !entry.wasReady) return;
      if (Date.now() - entry.startedAt > HEALTHY_AFTER_MS) entry.deaths = 0;
      const waitMs = RESTART_DELAYS_MS[Math.min(entry.deaths, RESTART_DELAYS_MS.length - 1)];
      entry.deaths += 1;
      const when = waitMs === 0 ? 'at once' : `in ${waitMs / 1000} s`;
      say(entry.spec.name, `ended unexpectedly (${signal ?? `exit code ${code}`}); starting it again ${when}`);
      setTimeout(() => {
        if (stopping) return;
        entry.child = launch(entry.spec);
        entry.startedAt = Date.now();
        watch(entry);
      }, waitMs);
    });
  }

  /** Stops everything, the last started first. Called twice, it stops once. */
  async function stopAll() {
    if (stopping) return;
    stopping = true;
    const beside = [];
    for (const { spec, child } of running.reverse()) {
      if (!spec.stopsBeside) await Promise.all(beside.splice(0));
      beside.push(stopAndSay(spec, child));
      if (!spec.stopsBeside) await Promise.all(beside.splice(0));
    }
    await Promise.all(beside);
  }

  async function stopAndSay(spec, child) {
    const askedAt = Date.now();
    await stop(child, spec.stopWithinMs);
    say(spec.name, `stopped after ${((Date.now() - askedAt) / 1000).toFixed(1)} s`);
  }

  return { start, stopAll };
}

async function stop(child, withinMs) {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => killGroup(child), withinMs);
  await ended;
  clearTimeout(timer);
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Windows has no process groups; or the group has ended meanwhile.
    child.kill('SIGKILL');
  }
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
