/** What a namespace needs is made once, and refused in words that say what to do where it is somebody else's. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SEARCH_ATTRIBUTES } from '../../../scripts/namespace.js';
import { eventually } from '../../support/eventually.ts';
import { openTemporal, temporalAddress } from '../../support/temporal.ts';

const HOUR_MS = 3_600_000;
const TEST_MS = 60_000;
/** A new namespace is seen by all of Temporal after some seconds. */
const SEEN_WITHIN_MS = 30_000;

interface Ended {
  readonly code: number;
  readonly said: string;
}

let namespace = '';

function prepare(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return run(['scripts/prepare-namespace.js', '--wait-ms', '10000', ...args], env);
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const all = { ...process.env, TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace, ...env };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], { env: all }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, said: stdout + stderr });
    });
  });
}

beforeAll(() => {
  namespace = `prepared-${randomUUID()}`;
});

describe('a namespace that is not there', () => {
  it('is refused with the command that makes it, unless it is ours', async () => {
    const { code, said } = await prepare([]);
    expect(code).toBe(1);
    expect(said).toContain(`temporal operator namespace create -n ${namespace} --retention 168h`);
  });
});

describe('a namespace of ours', () => {
  it(
    'is made with all that tasks need, and left alone the second time',
    async () => {
      const first = await prepare(['--owned'], { RESULT_RETENTION_MS: String(24 * HOUR_MS) });
      expect(first).toEqual({
        code: 0,
        said: expect.stringMatching(/created the namespace[^]*registered McpPrincipal.*McpDueAt/),
      });
      await eventually(async () => {
        expect(await prepare(['--owned'], { RESULT_RETENTION_MS: String(24 * HOUR_MS) })).toEqual({
          code: 0,
          said: '',
        });
      }, SEEN_WITHIN_MS);
      const { connection } = (await openTemporal()).client;
      const { config } = await connection.workflowService.describeNamespace({ namespace });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds) * 1_000).toBe(24 * HOUR_MS);
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
    },
    TEST_MS,
  );

  it(
    'that keeps runs for less than results are promised stops a front, is refused if it is not ours, and is raised if it is',
    async () => {
      const front = await run(['--import', 'tsx', 'server/main.ts'], {
        PORT: '0',
        RESULT_RETENTION_MS: String(25 * HOUR_MS),
        PRINCIPAL_KEY: 'ab'.repeat(32),
      });
      expect(front.code).toBe(1);
      expect(front.said).toContain(`temporal operator namespace update -n ${namespace} --retention 25h`);

      const refused = await prepare([], { RESULT_RETENTION_MS: String(25 * HOUR_MS) });
      expect(refused.code).toBe(1);
      expect(refused.said).toContain(`temporal operator namespace update -n ${namespace} --retention 25h`);

      const raised = await prepare(['--owned'], { RESULT_RETENTION_MS: String(25 * HOUR_MS) });
      expect(raised).toEqual({ code: 0, said: `Temporal: raised the retention of "${namespace}" to 25 h.\n` });
    },
    TEST_MS,
  );
});
