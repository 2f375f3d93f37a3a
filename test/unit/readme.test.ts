/** README and documents say what is there. Links are checked by test/architecture/files.test.ts, snippets by test/e2e/readme.test.ts. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readConfig as readFrontConfig } from '../../server/config.ts';
import { readConfig as readWorkerConfig } from '../../worker/config.ts';
import { read, root, sourceFiles } from '../architecture/tree.ts';
import { temporaryFolder } from '../support/processes.ts';

const documents = ['README.md', 'CHANGELOG.md', 'docs/design.md', 'docs/divergence.md', 'docs/operations.md'];
const readme = read('README.md');

function section(title: string): string {
  return readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The first column of a table, without its heading. */
function firstColumn(title: string): readonly string[] {
  return all(section(title), /^\| `([^`]+)`/gm);
}

describe('the commands in the documents', () => {
  it('exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((file) => all(read(file), /\bnpm run ([\w:-]+)/g));
    expect(named).not.toEqual([]);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('name files that exist', () => {
    const paths = documents.flatMap((file) =>
      all(
        read(file),
        /(?<![\w/.-])((?:demo|test|docs|scripts|workflows|server|worker|policy)\/[\w./-]*\.(?:ts|json|js|csv|md|png)\b)/g,
      ),
    );
    const missing = paths.filter((path) => !existsSync(root + path) && path !== 'workflows/tools/follow-up.ts');
    expect(missing).toEqual([]);
  });
});

describe('the table of variables', () => {
  /** Those of the system, and the list of folders to search for commands. */
  const SYSTEM = new Set(['PATH', 'LOCALAPPDATA']);
  const inConfigs = ['server/config.ts', 'worker/config.ts'].flatMap((file) =>
    all(read(file), /^\s+([A-Z][A-Z_]+): (?:z\b|list|wholeMs)/gm),
  );
  const readers = ['scripts', 'demo', 'demo/erp'].flatMap((folder) =>
    readdirSync(root + folder).flatMap((name) => (/\.[jt]s$/.test(name) ? [`${folder}/${name}`] : [])),
  );
  const inScripts = readers.flatMap((file) =>
    all(read(file), /(?:setting\(env, '|\bport\('|\benv(?:\.|\['))([A-Z][A-Z_]+)/g),
  );
  const known = new Set([...inConfigs, ...inScripts].filter((name) => !SYSTEM.has(name)));

  it('holds every variable that a process or a script reads, and no other', () => {
    expect([...firstColumn('Configure')].sort()).toEqual([...known].sort());
  });

  it('gives the defaults of the configurations', async () => {
    const front = await readFrontConfig({ DATA_DIR: await temporaryFolder() });
    const worker = readWorkerConfig({});
    const { host, port, auth, syncBudgetMs, fallbackBudgetMs, resultRetentionMs, taskQueue, drainMs, logLevel } = front;
    const { host: workerHost, erpUrl } = worker;
    const said: Partial<Record<string, string>> = Object.fromEntries(
      [...section('Configure').matchAll(/^\| `([A-Z_]+)` +\| `([^`]+)`/gm)].map(
        ([, name, value]) => [name!, value!] as const,
      ),
    );
    expect(said).toMatchObject({
      HOST: host,
      PORT: String(port),
      AUTH: auth,
      SYNC_BUDGET_MS: String(syncBudgetMs),
      FALLBACK_BUDGET_MS: String(fallbackBudgetMs),
      RESULT_RETENTION_MS: String(resultRetentionMs),
      TASK_QUEUE: taskQueue,
      DRAIN_MS: String(drainMs),
      LOG_LEVEL: logLevel,
      WORKER_HOST: workerHost,
      ERP_URL: erpUrl,
    });
    expect([worker.taskQueue, worker.drainMs, worker.logLevel]).toEqual([taskQueue, drainMs, logLevel]);
    expect(worker.policyFile).toBe(`${root}${said['PURCHASE_POLICY_FILE']!}`);
  });
});

describe('the error texts', () => {
  it('are those of the code', () => {
    /** Texts that are put together over several lines are read as one. */
    const source = sourceFiles.map((file) => read(file).replaceAll(/['`] \+\s+['`]/g, '')).join('\n');
    const fromTheSdk = ['the request headers and body disagree'];
    const texts = firstColumn('Find an error by its text').filter((text) => !fromTheSdk.includes(text));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => !source.includes(text))).toEqual([]);
  });
});

describe('the guarantees', () => {
  it('name a test each, but for those that are not built', () => {
    const rows = section('Rely on it')
      .split('\n')
      .filter((line) => /^\| G\d+/.test(line));
    expect(rows.map((row) => /G\d+/.exec(row)?.[0])).toEqual([
      'G1',
      'G2',
      'G3',
      'G4',
      'G5',
      'G6',
      'G7',
      'G9',
      'G10',
      'G11',
    ]);
    expect(rows.filter((row) => !/\(test\/[\w./-]+\.test\.ts\)|by construction/.test(row))).toEqual([]);
  });
});

describe('the decisions', () => {
  it('are all linked', () => {
    const files = readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`);
    expect(files.filter((file) => !readme.includes(`(${file})`))).toEqual([]);
  });
});
