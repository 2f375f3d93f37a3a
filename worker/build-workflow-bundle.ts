/** `build-workflow-bundle.ts OUT [ENTRY]`: the workflow bundle as one file, for images and test suites. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH, WORKFLOWS_PATH } from './workflow-source.ts';

const [out, entry] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write('Usage: build-workflow-bundle.ts OUT [ENTRY]\n');
  process.exit(1);
}
const { code } = await bundleWorkflowCode({
  workflowsPath: entry === undefined ? WORKFLOWS_PATH : resolve(entry),
  failureConverterPath: FAILURE_CONVERTER_PATH,
});
await mkdir(dirname(resolve(out)), { recursive: true });
// Renamed into place, so that a worker that starts meanwhile never reads half of it.
await writeFile(`${out}.${String(process.pid)}`, code);
await rename(`${out}.${String(process.pid)}`, out);
