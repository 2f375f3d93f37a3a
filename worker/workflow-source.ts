/** Where a worker takes its workflows from: a prebuilt bundle in production, the sources in development. */
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from '@temporalio/worker';

export const WORKFLOWS_PATH = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
/** A worker requires it by itself and bundles it with its workflows: a bundle without it writes failures in clear. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('../workflows/failure-converter.cjs', import.meta.url));

export function workflowSource(bundle: string | undefined): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  return bundle === undefined ? { workflowsPath: WORKFLOWS_PATH } : { workflowBundle: { codePath: bundle } };
}
