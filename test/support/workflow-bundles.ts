import { join, relative } from 'node:path';
import { repositoryRoot, startChild } from './child.ts';
import { onceInARun } from './once-in-a-run.ts';

/** The path of the bundle of the workflows that `entry` exports, an absolute path. */
export async function workflowBundle(entry: string): Promise<string> {
  const name = `${relative(repositoryRoot, entry).replaceAll(/[^\w.-]/g, '_')}.js`;
  return onceInARun(name, (file) => buildWorkflowBundle(entry, file));
}

/** By a process of its own: what bundles is a large program, and Jest would load all of it again for each test file. */
async function buildWorkflowBundle(entry: string, file: string): Promise<void> {
  const build = await startChild({
    name: `the bundle of ${entry}`,
    command: process.execPath,
    args: ['--import', 'tsx', join(repositoryRoot, 'worker/build-workflow-bundle.ts'), file, entry],
    isReady: () => true,
  });
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`The workflow bundle of ${entry} could not be built:\n${build.output()}`);
}
