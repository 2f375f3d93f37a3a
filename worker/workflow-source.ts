/** Where a worker takes its workflows from: a prebuilt bundle in production, the sources in development. */
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';

export const WORKFLOWS_PATH = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

export function workflowSource(bundle: string | undefined): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  return bundle === undefined ? { workflowsPath: WORKFLOWS_PATH } : { workflowBundle: { codePath: bundle } };
}
