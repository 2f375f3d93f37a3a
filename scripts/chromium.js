/** The browser of the browser tests: found, or installed from the system's own packages. */
import { findOnPath } from './find-on-path.js';
import { runCommand } from './run-command.js';
import { SetupError } from './setup-error.js';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome'];
const INSTALL_TIMEOUT_MS = 600_000;

/** @returns {string | undefined} its full path; `CHROMIUM_PATH` names another one */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return COMMANDS.map((command) => findOnPath(command, env)).find((path) => path !== undefined);
}

/** Where this user may install packages, a missing Chromium is installed. */
export async function requireChromium(env = process.env, say = console.error) {
  const found = findChromium(env);
  if (found !== undefined) return found;
  if (findOnPath('apt-get', env) !== undefined) await installWithApt(env, say);
  const installed = findChromium(env);
  if (installed !== undefined) return installed;
  throw new SetupError(
    'The browser tests need Chromium. On Debian: sudo apt-get install chromium. Elsewhere name one in CHROMIUM_PATH.',
  );
}

async function installWithApt(env, say) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !(await runCommand('sudo', ['-n', 'true'], { env })).ok) return;
  say('Installing Chromium with apt-get (about a minute) …');
  const apt = (args) => {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    const [program, ...rest] = isRoot ? command : ['sudo', '-n', ...command];
    return runCommand(program, rest, { env, timeoutMs: INSTALL_TIMEOUT_MS });
  };
  await apt(['update']);
  const { ok, output } = await apt(['install', '-y', '--no-install-recommends', 'chromium']);
  if (!ok) say(output);
}
