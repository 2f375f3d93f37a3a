/** What all tests of a run share: one Temporal, in memory, the workflow bundles, and the product as JavaScript. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot, startChild } from './child.ts';
import { compileProduct } from './compiled-product.ts';
import { startDevServer } from './dev-server.ts';

export interface SharedTemporal {
  end(): Promise<void>;
}

/** What the product's own set-up finds: a running Temporal, or the CLI that starts one. */
type FoundTemporal = { readonly address: string } | { readonly path: string };

/** Says where everything is through the environment, which the test processes inherit. */
export async function startSharedTemporal(found: FoundTemporal): Promise<SharedTemporal> {
  if ('path' in found) process.env['TEMPORAL_CLI_PATH'] = found.path;
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-bundles-'));
  const [server, compiled] = await Promise.all([
    'path' in found ? startDevServer() : undefined,
    compileProduct(),
    buildBundle('workflows/index.ts', join(folder, 'product.js'), 'TEST_PRODUCT_BUNDLE'),
    buildBundle('test/conformance/workflows.ts', join(folder, 'fixtures.js'), 'TEST_FIXTURES_BUNDLE'),
    buildBundle('test/e2e/cases/support/case-workflows.ts', join(folder, 'cases.js'), 'TEST_CASES_BUNDLE'),
  ]);
  process.env['TEST_TEMPORAL_ADDRESS'] = 'address' in found ? found.address : server?.address;
  process.env['TEST_COMPILED_PRODUCT'] = compiled.folder;
  return {
    end: async () => {
      await server?.end();
      await compiled.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function buildBundle(entry: string, file: string, variable: string): Promise<void> {
  const build = await startChild({
    name: `the bundle of ${entry}`,
    command: process.execPath,
    args: ['--import', 'tsx', join(repositoryRoot, 'worker/build-workflow-bundle.ts'), file, entry],
    isReady: () => true,
  });
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`The workflow bundle of ${entry} could not be built:\n${build.output()}`);
  process.env[variable] = file;
}
