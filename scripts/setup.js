/**
 * Makes a fresh clone ready: Node.js, packages and, with `--temporal` and `--chromium`, those too. Says nothing when
 * nothing is missing.
 * `--node-only` only checks the version of Node.js; `--without-packages` leaves these to somebody else.
 * Plain Node.js without a dependency, because it runs before there are any.
 */
import { pathToFileURL } from 'node:url';
import { requireChromium } from './chromium.js';
import { installDependencies } from './dependencies.js';
import { nodeVersionProblem } from './node-version.js';
import { exitWith, SetupError } from './setup-error.js';
import { findTemporal } from './temporal.js';

/** @returns {Promise<Awaited<ReturnType<typeof findTemporal>> | undefined>} Temporal, when it is asked for */
export async function setUp({
  temporal,
  chromium = false,
  nodeOnly = false,
  packages = true,
  env = process.env,
  say = console.error,
}) {
  const problem = nodeVersionProblem();
  if (problem !== undefined) throw new SetupError(problem);
  if (nodeOnly) return undefined;
  if (packages) await installDependencies(say, env);
  if (chromium) await requireChromium(env, say);
  return temporal ? findTemporal({ env, say }) : undefined;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setUp({
    temporal: process.argv.includes('--temporal'),
    chromium: process.argv.includes('--chromium'),
    nodeOnly: process.argv.includes('--node-only'),
    packages: !process.argv.includes('--without-packages'),
  }).catch(exitWith);
}
