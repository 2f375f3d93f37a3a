/** Installs the packages of the lockfile when they are missing or are not those of the lockfile. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.js';
import { runCommand } from './run-command.js';
import { cacheDir, PROJECT_ROOT, setting } from './settings.js';
import { SetupError } from './setup-error.js';

const INSTALL_TIMEOUT_MS = 15 * 60_000;

/**
 * Compares with the list that npm itself leaves in node_modules, so that a tree installed by `npm install` counts too.
 * @returns {string | undefined} what is missing
 */
export function dependencyProblem(root = PROJECT_ROOT) {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return 'node_modules is missing';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  for (const [path, { version, optional, devOptional, link }] of Object.entries(wanted)) {
    if (path === '' || link) continue;
    const found = installed[path];
    if (found === undefined && (optional || devOptional)) continue;
    if (found?.version !== version) return `${path} is ${found?.version ?? 'missing'}, the lockfile wants ${version}`;
  }
  return undefined;
}

export async function installDependencies(say, env = process.env, root = PROJECT_ROOT) {
  if (dependencyProblem(root) === undefined) return;
  const id = createHash('sha256').update(root).digest('hex').slice(0, 16);
  await withLock(
    join(cacheDir(env), `install-${id}.lock`),
    (pid) => say(`Waiting for another set-up (process ${pid}) to install the packages.`),
    async () => {
      const problem = dependencyProblem(root);
      if (problem === undefined) return;
      if (setting(env, 'SETUP_INSTALL') === 'off') {
        throw new SetupError(`The packages are not installed (${problem}) and SETUP_INSTALL is off. Run: npm ci`);
      }
      say(`Installing packages (${problem}). This takes about a minute.`);
      // npm names itself to the scripts it runs; by its own file it is found on every platform.
      const [command, args] = setting(env, 'npm_execpath')?.endsWith('npm-cli.js')
        ? [process.execPath, [env.npm_execpath, 'ci']]
        : [process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci']];
      const { ok, output } = await runCommand(command, [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
        timeoutMs: INSTALL_TIMEOUT_MS,
        cwd: root,
        env,
        show: true,
      });
      if (!ok) {
        throw new SetupError(
          `npm ci did not succeed. Its own message stands above. ${output}\n` +
            'Check the network or the npm registry (npm ping), then run npm ci by hand to see more.',
        );
      }
    },
  );
}
