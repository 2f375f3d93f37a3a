/** `npm run build [-- FOLDER]`: JavaScript in dist/ for production, with the workflow bundle made in advance. */
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCommand } from './run-command.js';
import { PROJECT_ROOT } from './settings.js';
import { exitWith, SetupError } from './setup-error.js';

const DIST = resolve(PROJECT_ROOT, process.argv[2] ?? 'dist');
/** What the code reads beside itself, at the same place relative to it. */
const DATA = ['policy', 'workflows/failure-converter.cjs', 'server/inbox/assets'];
const STEP_TIMEOUT_MS = 300_000;

const STEPS = [
  ['compiling', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', DIST]],
  ['bundling the workflows', ['--import', 'tsx', 'worker/build-workflow-bundle.ts', join(DIST, 'workflow-bundle.js')]],
];

try {
  rmSync(DIST, { recursive: true, force: true });
  for (const [what, args] of STEPS) {
    console.log(`build: ${what}`);
    const { ok } = await runCommand(process.execPath, args, {
      timeoutMs: STEP_TIMEOUT_MS,
      cwd: PROJECT_ROOT,
      show: true,
    });
    if (!ok) throw new SetupError(`build: ${what} failed; see the messages above.`);
  }
  for (const path of DATA) cpSync(join(PROJECT_ROOT, path), join(DIST, path), { recursive: true });
  console.log(`build: done, see ${DIST}`);
} catch (error) {
  exitWith(error);
}
