/**
 * The README against the code. What it names is checked by documents.test.ts, its errors by error-table.test.ts, its snippets by
 * test/e2e/readme.test.ts.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readConfig as readFrontConfig } from '../../server/config.ts';
import { readConfig as readWorkerConfig } from '../../worker/config.ts';
import { read, root } from '../architecture/tree.ts';
import { knownVariables } from '../support/known-variables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

describe('the table of variables', () => {
  it('holds every variable that a process or a script reads, and no other', () => {
    expect([...firstColumn('Configure')].sort()).toEqual([...knownVariables()].sort());
  });

  it('gives the defaults of the configurations', async () => {
    const front = await readFrontConfig({ DATA_DIR: await temporaryFolder() });
    expect(front.auth).toBeUndefined();
    const worker = readWorkerConfig({});
    const { host, port, syncBudgetMs, fallbackBudgetMs, resultRetentionMs, taskQueue, drainMs, logLevel } = front;
    const { host: workerHost, erpUrl } = worker;
    const said: Partial<Record<string, string>> = Object.fromEntries(
      [...section('Configure').matchAll(/^\| `([A-Z_]+)` +\| `([^`]+)`/gm)].map(
        ([, name, value]) => [name!, value!] as const,
      ),
    );
    expect(said).toMatchObject({
      HOST: host,
      PORT: String(port),
      AUTH: 'none',
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
      'G12',
      'G13',
    ]);
    expect(rows.filter((row) => !/\(test\/[\w./-]+\.test\.ts\)/.test(row))).toEqual([]);
  });
});

describe('the decisions', () => {
  it('are all linked', () => {
    const files = readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`);
    expect(files.filter((file) => !readme.includes(`(${file})`))).toEqual([]);
  });
});
