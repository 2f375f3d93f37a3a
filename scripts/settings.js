/**
 * What the scripts read from the environment. Names and defaults are those of the processes they start;
 * an empty variable counts as unset, as it does there.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './setup-error.js';

export const PROJECT_ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @returns {string | undefined} */
export function setting(env, name) {
  return env[name] ? env[name] : undefined;
}

export function readSettings(env = process.env) {
  const problems = [];
  const port = (name, fallback) => {
    const text = setting(env, name) ?? String(fallback);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > 65_535) problems.push(`${name} must be a port from 1 to 65535.`);
    return value;
  };
  const host = setting(env, 'HOST') ?? '127.0.0.1';
  const dataDir = resolve(PROJECT_ROOT, setting(env, 'DATA_DIR') ?? '.data');
  const settings = {
    host,
    port: port('PORT', 3000),
    workerPort: port('WORKER_PORT', 3001),
    erpPort: port('ERP_PORT', 3900),
    temporalPort: port('TEMPORAL_PORT', 7233),
    temporalUiPort: port('TEMPORAL_UI_PORT', 8233),
    /** Absent: any free one will do, since others read it from a file. */
    postgresPort: setting(env, 'POSTGRES_PORT') === undefined ? undefined : port('POSTGRES_PORT'),
    ownsDatabase: (setting(env, 'DATABASE_URL') ?? setting(env, 'DATABASE_URL_FILE')) === undefined,
    hasSignIn: (setting(env, 'AUTH') ?? 'none') !== 'none',
    temporalAddress: setting(env, 'TEMPORAL_ADDRESS'),
    temporalUiUrl: setting(env, 'TEMPORAL_UI_URL'),
    namespace: setting(env, 'TEMPORAL_NAMESPACE') ?? 'default',
    taskQueue: setting(env, 'TASK_QUEUE') ?? 'mcp-tasks',
    erpUrl: setting(env, 'ERP_URL'),
    dataDir,
    blobDir: resolve(PROJECT_ROOT, setting(env, 'BLOB_DIR') ?? join(dataDir, 'blobs')),
    temporalDatabase: join(dataDir, 'temporal.db'),
  };
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
  return settings;
}

/** Outside the work tree, so that `git clean` and a second clone keep what took minutes to build. */
export function cacheDir(env = process.env) {
  const base =
    setting(env, 'XDG_CACHE_HOME') ??
    (process.platform === 'win32' ? setting(env, 'LOCALAPPDATA') : undefined) ??
    (process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache'));
  return join(base, 'durable-mcp-tasks');
}
