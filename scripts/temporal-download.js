/** Fetches the Temporal CLI from its official address, or a mirror of it, into the cache. */
import { createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCommand } from './run-command.js';
import { setting } from './settings.js';

/** Without a network this must not hold up the next way. */
const ANSWER_TIMEOUT_MS = 10_000;
const TRANSFER_TIMEOUT_MS = 180_000;

const OFFICIAL = 'https://temporal.download';

const PLATFORMS = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/**
 * Extracts beside the target and renames, so that the cache holds a whole binary or none.
 * @returns {Promise<string | undefined>} why it did not work
 */
export async function downloadTemporal({ target, version, env, say, inspect }) {
  const origin = setting(env, 'TEMPORAL_DOWNLOAD') ?? OFFICIAL;
  if (origin === 'off') return 'switched off by TEMPORAL_DOWNLOAD=off';
  const platform = PLATFORMS[process.platform];
  const arch = ARCHITECTURES[process.arch];
  if (!platform || !arch) return `there is none for ${process.platform} ${process.arch}`;

  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), 'download-'));
  try {
    say(`Downloading the Temporal CLI ${version}.`);
    const url = `${origin.replace(/\/+$/, '')}/cli/archive/v${version}?platform=${platform}&arch=${arch}`;
    const archive = join(folder, platform === 'windows' ? 'temporal.zip' : 'temporal.tar.gz');
    await transfer(url, archive);
    // Windows brings a tar that also reads zip.
    const unpacked = await runCommand('tar', ['-xf', archive, '-C', folder], { timeoutMs: 60_000 });
    if (!unpacked.ok) return `the archive could not be unpacked (${unpacked.output.trim()})`;
    const binary = join(folder, basename(target));
    const found = await inspect(binary);
    if (!found.ok) return found.problem;
    renameSync(binary, target);
    return undefined;
  } catch (error) {
    return error.cause?.code ?? error.message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function transfer(url, file) {
  const abort = new AbortController();
  const answerTimer = setTimeout(
    () => abort.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`)),
    ANSWER_TIMEOUT_MS,
  );
  const transferTimer = setTimeout(
    () => abort.abort(new Error(`not finished within ${TRANSFER_TIMEOUT_MS / 1000} s`)),
    TRANSFER_TIMEOUT_MS,
  );
  try {
    const response = await fetch(url, { signal: abort.signal });
    clearTimeout(answerTimer);
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new Error(`the server answered ${response.status}`);
    }
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  } finally {
    clearTimeout(answerTimer);
    clearTimeout(transferTimer);
  }
}
