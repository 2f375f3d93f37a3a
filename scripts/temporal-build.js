/** Builds the Temporal CLI with Go into the cache. Slow, and independent of everything but a Go module proxy. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findOnPath } from './find-on-path.js';
import { runCommand } from './run-command.js';
import { setting } from './settings.js';

const BUILD_TIMEOUT_MS = 20 * 60_000;
const PROGRESS_INTERVAL_MS = 10_000;
/** Nobody debugs Temporal here: without debug information the build takes a tenth less, and the binary 40 MB. */
const FLAGS = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];

/**
 * Builds beside the target and renames, so that the cache holds a whole binary or none.
 * @returns {Promise<string | undefined>} why it did not work
 */
export async function buildTemporal({ target, version, env, say, inspect }) {
  if (setting(env, 'TEMPORAL_GO_INSTALL') === 'off') return 'switched off by TEMPORAL_GO_INSTALL=off';
  const go = findOnPath(process.platform === 'win32' ? 'go.exe' : 'go', env);
  if (go === undefined) return 'go is not on the PATH';

  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), 'build-'));
  const startedAt = Date.now();
  say(`Building the Temporal CLI ${version} with Go. This takes about three minutes, once for this machine.`);
  const progress = setInterval(() => {
    say(`Building the Temporal CLI: ${Math.round((Date.now() - startedAt) / 1000)} s so far.`);
  }, PROGRESS_INTERVAL_MS);
  try {
    const command = `github.com/temporalio/cli/cmd/temporal@v${version}`;
    const { ok, output } = await runCommand(go, ['install', ...FLAGS, command], {
      timeoutMs: BUILD_TIMEOUT_MS,
      env: { ...env, GOBIN: folder },
    });
    if (!ok) return output.trim().split('\n').slice(-3).join(' ') || 'go install ended with an error';
    const binary = join(folder, basename(target));
    const found = await inspect(binary);
    if (!found.ok) return found.problem;
    renameSync(binary, target);
    return undefined;
  } finally {
    clearInterval(progress);
    rmSync(folder, { recursive: true, force: true });
  }
}
