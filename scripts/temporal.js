/**
 * Finds Temporal. The order: an existing one (TEMPORAL_ADDRESS); a given binary (TEMPORAL_CLI_PATH); `temporal` on the
 * PATH; the project's cache; the official download; a build with Go. Every binary is asked for its version before use.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findOnPath } from './find-on-path.js';
import { withLock } from './lock.js';
import { runCommand } from './run-command.js';
import { cacheDir, setting } from './settings.js';
import { SetupError } from './setup-error.js';
import { downloadTemporal } from './temporal-download.js';
import { buildTemporal } from './temporal-build.js';

export const TEMPORAL_CLI_VERSION = '1.5.1';
/** The oldest server this project is tested on. */
const MINIMUM_SERVER = [1, 29];
const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/**
 * @param {{ env?: NodeJS.ProcessEnv, say?: (line: string) => void }} [options]
 * @returns {Promise<{ address: string } | { path: string, version: string, source: string }>}
 * @throws SetupError naming every way, when none leads to Temporal
 */
export async function findTemporal({ env = process.env, say = console.error } = {}) {
  const located = await locateTemporal({ env, say });
  if (located !== undefined) return located;

  const target = cachedBinary(env);
  const reasons = [];
  return withLock(
    `${target}.lock`,
    (pid) => say(`Waiting for another set-up (process ${pid}) to fetch Temporal.`),
    async () => {
      const cached = await inspectBinary(target);
      if (cached.ok) return { path: target, version: cached.version, source: 'cache' };
      removeLeftovers(dirname(target));
      for (const [source, fetchInto] of [
        ['download', downloadTemporal],
        ['go install', buildTemporal],
      ]) {
        const problem = await fetchInto({ target, version: TEMPORAL_CLI_VERSION, env, say, inspect: inspectBinary });
        if (problem === undefined) {
          const { version } = await inspectBinary(target);
          return { path: target, version, source };
        }
        reasons.push(`${source}: ${problem}`);
      }
      throw new SetupError(noTemporalMessage(target, reasons));
    },
  );
}

/** The ways that neither download nor build anything. `undefined`: none of them leads to Temporal. */
export async function locateTemporal({ env = process.env, say = console.error } = {}) {
  const address = setting(env, 'TEMPORAL_ADDRESS');
  if (address !== undefined) return { address };

  const given = setting(env, 'TEMPORAL_CLI_PATH');
  if (given !== undefined) {
    const found = await inspectBinary(given);
    if (found.ok) return { path: given, version: found.version, source: 'TEMPORAL_CLI_PATH' };
    throw new SetupError(
      `TEMPORAL_CLI_PATH is ${given}, which does not work (${found.problem}).\n` +
        'Set it to the Temporal CLI, or unset it so that Temporal is looked for elsewhere.',
    );
  }

  const onPath = findOnPath(EXECUTABLE, env);
  if (onPath !== undefined) {
    const found = await inspectBinary(onPath);
    if (found.ok) return { path: onPath, version: found.version, source: 'PATH' };
    say(`Passing over ${onPath}: ${found.problem}.`);
  }

  const cached = cachedBinary(env);
  if (!existsSync(cached)) return undefined;
  const found = await inspectBinary(cached);
  return found.ok ? { path: cached, version: found.version, source: 'cache' } : undefined;
}

export function cachedBinary(env = process.env) {
  return join(cacheDir(env), 'temporal', TEMPORAL_CLI_VERSION, EXECUTABLE);
}

/** @returns {Promise<{ ok: true, version: string } | { ok: false, problem: string }>} */
async function inspectBinary(path) {
  const { ok, output } = await runCommand(path, ['--version'], { timeoutMs: 20_000 });
  if (!ok) return { ok: false, problem: output.trim().split('\n').at(-1) || 'it ends with an error' };
  const version = output.trim();
  const server = /Server (\d+)\.(\d+)/.exec(version);
  if (!server) return { ok: false, problem: 'it does not say which Temporal server it brings' };
  const [major, minor] = [Number(server[1]), Number(server[2])];
  const [needMajor, needMinor] = MINIMUM_SERVER;
  if (major < needMajor || (major === needMajor && minor < needMinor)) {
    return { ok: false, problem: `it brings server ${major}.${minor}, older than ${MINIMUM_SERVER.join('.')}` };
  }
  return { ok: true, version };
}

/** What a set-up that was killed left half-made. Only called under the lock. */
function removeLeftovers(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (/^(download|build)-/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function noTemporalMessage(target, reasons) {
  return [
    'Temporal was not found. Any one of these mends it:',
    '  1. use a running one:      TEMPORAL_ADDRESS=host:7233 (and TEMPORAL_NAMESPACE)',
    '  2. name the CLI:           TEMPORAL_CLI_PATH=path/to/temporal',
    '  3. install it:             `temporal` on the PATH, see https://docs.temporal.io/cli',
    `  4. put it into the cache:  ${target}`,
    '  5. allow the download:     network access to https://temporal.download, or TEMPORAL_DOWNLOAD=https://its.mirror',
    '  6. have it built:          Go 1.24 or newer on the PATH (TEMPORAL_GO_INSTALL unset)',
    'What was tried:',
    ...reasons.map((reason) => `  - ${reason}`),
  ].join('\n');
}
