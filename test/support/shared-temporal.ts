/**
 * What all tests of a run share: one Temporal, in memory, the product as JavaScript with its workflow bundles, and a folder
 * for what one test file makes for all.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './child.ts';
import { compileProduct } from './compiled-product.ts';
import { startDevServer } from './dev-server.ts';
import { workflowBundle } from './workflow-bundles.ts';

export interface SharedTemporal {
  end(): Promise<void>;
}

/** What the product's own set-up finds: a running Temporal, or the CLI that starts one. */
type FoundTemporal = { readonly address: string } | { readonly path: string };

/** Says where everything is through the environment, which the test processes inherit. */
export async function startSharedTemporal(found: FoundTemporal): Promise<SharedTemporal> {
  if ('path' in found) process.env['TEMPORAL_CLI_PATH'] = found.path;
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-run-'));
  process.env['TEST_RUN_FOLDER'] = folder;
  const [server, compiled] = await Promise.all([
    'path' in found ? startDevServer() : undefined,
    compileProduct(),
    bundle('workflows/index.ts', 'TEST_PRODUCT_BUNDLE'),
    bundle('test/conformance/workflows.ts', 'TEST_FIXTURES_BUNDLE'),
    bundle('test/e2e/cases/support/case-workflows.ts', 'TEST_CASES_BUNDLE'),
  ]);
  process.env['TEST_TEMPORAL_ADDRESS'] = 'address' in found ? found.address : server?.address;
  process.env['TEST_COMPILED_PRODUCT'] = compiled.folder;
  return {
    end: async () => {
      try {
        await server?.end();
      } finally {
        await compiled.end();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function bundle(entry: string, variable: string): Promise<void> {
  process.env[variable] = await workflowBundle(join(repositoryRoot, entry));
}
