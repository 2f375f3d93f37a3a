import { join, relative } from 'node:path';
import { runCommand } from '../../scripts/run-command.js';
import { repositoryRoot } from './child.ts';
import { onceInARun } from './once-in-a-run.ts';
import { patiently } from './patience.js';

const BUILD_MS = 30_000;

/** The path of the bundle of the workflows that `entry` exports, an absolute path. */
export async function workflowBundle(entry: string): Promise<string> {
  const name = `${relative(repositoryRoot, entry).replaceAll(/[^\w.-]/g, '_')}.js`;
  return onceInARun(name, (file) => buildWorkflowBundle(entry, file));
}

/** By a process of its own: what bundles is a large program, and Jest would load all of it again for each test file. */
export async function buildWorkflowBundle(entry: string, file: string): Promise<void> {
  const build = ['--import', 'tsx', join(repositoryRoot, 'worker/build-workflow-bundle.ts'), file, entry];
  const { ok, output } = await runCommand(process.execPath, build, {
    cwd: repositoryRoot,
    timeoutMs: patiently(BUILD_MS),
  });
  if (!ok) throw new Error(`The workflow bundle of ${entry} could not be built:\n${output}`);
}
