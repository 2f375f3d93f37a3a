/** What lies around the product is dead, full or wrong: a clear error, the processes stay up, nothing is half-written. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { answersOk, type Child } from '../support/child.ts';
import { compiledEntry } from '../support/compiled-entry.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startTracked } from '../support/processes.ts';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { onSmallDisk } from '../support/small-disk.ts';
import { createTaskClient, resultOf, RpcFailure, textOf } from '../support/task-client.ts';
import { bundlePath } from '../support/temporal.ts';

const ENDS_WITHIN_MS = 60_000;
const TEST_MS = 120_000;
/**
 * Names of hosts and functions, codes and paths of other systems: nothing of that is a client's business. Short words stand
 * alone, or a random id that happens to spell one would be taken for a leak.
 */
const INTERNAL =
  /127\.0\.0\.1|localhost|\bECONN[A-Z]+\b|UNAVAILABLE|\bgRPC\b|temporal|\bat \w+.*:\d+:\d+|node_modules|\/tmp\//i;

/** Runs until it ends by itself. */
async function outcomeOf(
  entry: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: unknown; said: string }> {
  const child = await startTracked({
    name: entry,
    command: process.execPath,
    args: [compiledEntry(entry)],
    env,
    isReady: () => true,
  });
  const { code } = await child.exited;
  return { code, said: child.output() };
}

async function startWorkerOnSmallDisk(product: Product, blobDir: string): Promise<Child> {
  const port = await freePort();
  const [command, args] = onSmallDisk(blobDir, 8, [process.execPath, compiledEntry('worker/main.ts')]);
  return startTracked({
    name: 'worker on a small disk',
    command,
    args,
    env: {
      ...product.env,
      BLOB_DIR: blobDir,
      WORKFLOW_BUNDLE: bundlePath('product'),
      WORKER_PORT: String(port),
    },
    isReady: () => answersOk(`http://127.0.0.1:${String(port)}/readyz`),
    readyWithinMs: 60_000,
  });
}

describe('a dead ERP', () => {
  it(
    'is a tool error that says what to do',
    async () => {
      const product = await openProduct();
      const [front] = await Promise.all([product.startFront(), product.startWorker()]);
      const client = createTaskClient(front.url);
      await product.erp.end();
      const taskId = await client.create('purchase_order', aCall());
      const result = resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
      expect(result.isError).toBe(true);
      expect(textOf(result)).toBe(
        'The ERP could not be reached; nothing was ordered. Call again later, with a new idempotency key.',
      );
    },
    TEST_MS,
  );
});

describe('a dead Temporal', () => {
  it(
    'is an error in plain words, while the front stays up and goes on by itself',
    async () => {
      const temporal = await startOwnTemporal({ databaseFile: join(await temporaryFolder(), 'temporal.db') });
      const product = await openProduct({ address: temporal.address });
      await temporal.kill9();
      const port = await freePort();
      const url = `http://127.0.0.1:${String(port)}`;
      // It starts before its Temporal does.
      const front = await startTracked({
        name: 'front',
        command: process.execPath,
        args: [compiledEntry('server/main.ts')],
        env: { ...product.env, PORT: String(port) },
        isReady: () => answersOk(`${url}/healthz`),
        readyWithinMs: 60_000,
      });
      const client = createTaskClient(url);
      const calls = [
        () => client.create('purchase_order', aCall()),
        () => client.get('A'.repeat(22)),
        () => client.cancel('A'.repeat(22)),
        () => client.answer('A'.repeat(22), {}),
      ];
      for (const error of await Promise.all(calls.map((call) => call().catch((reason: unknown) => reason)))) {
        expect(error).toBeInstanceOf(RpcFailure);
        expect(error).toMatchObject({ code: -32603, message: expect.not.stringMatching(INTERNAL) });
        expect(error).toMatchObject({ message: expect.stringContaining('Try again in a few seconds') });
      }
      expect(front.isRunning()).toBe(true);
      await temporal.restart();
      await eventually(() => answersOk(`${url}/readyz`), 20_000);
      await client.create('purchase_order', aCall());
      await expect(client.get('A'.repeat(22))).rejects.toMatchObject({ code: -32602 });
    },
    TEST_MS,
  );
});

describe('a full disk under the blob folder', () => {
  it(
    'costs the PDF and not the order, and says so',
    async () => {
      const product = await openProduct();
      const blobDir = await temporaryFolder();
      const [front] = await Promise.all([
        product.startFront({ BLOB_DIR: blobDir }),
        startWorkerOnSmallDisk(product, blobDir),
      ]);
      const client = createTaskClient(front.url);
      const taskId = await client.create('purchase_order', aCall());
      const result = resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
      expect(result.isError).not.toBe(true);
      expect(textOf(result)).toMatch(/is posted[^]*Its PDF could not be stored and is missing; the order stands/);
      expect(result.content.filter(({ type }) => type === 'resource_link')).toEqual([]);
      expect(result).toMatchObject({ structuredContent: { taskId, status: 'posted' } });
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
      expect(await client.request({ method: 'resources/list' })).toMatchObject({ resources: [] });
      expect((await readdir(blobDir, { recursive: true })).filter((name) => name.includes('.pdf'))).toEqual([]);
    },
    TEST_MS,
  );
});

describe('a bad configuration', () => {
  it('ends a front before it listens, with every problem in one list', async () => {
    const { code, said } = await outcomeOf('server/main.ts', {
      HOST: '0.0.0.0',
      PORT: '70000',
      SYNC_BUDGET_MS: 'soon',
      PRINCIPAL_KEY: 'short',
      LOG_LEVEL: 'loud',
    });
    expect(code).toBe(1);
    for (const name of ['HOST', 'PORT', 'SYNC_BUDGET_MS', 'PRINCIPAL_KEY', 'LOG_LEVEL']) {
      expect(said).toMatch(new RegExp(`^ *- ${name}: `, 'm'));
    }
    expect(said).not.toMatch(/^\s+at /m);
  });

  it('ends a worker before it polls, with every problem in one list', async () => {
    const { code, said } = await outcomeOf('worker/main.ts', {
      WORKER_PORT: 'x',
      ERP_URL: 'nowhere',
      DRAIN_MS: '-1',
    });
    expect(code).toBe(1);
    for (const name of ['WORKER_PORT', 'ERP_URL', 'DRAIN_MS']) expect(said).toMatch(new RegExp(`^ *- ${name}: `, 'm'));
    expect(said).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['demo/erp/main.ts', { ERP_PORT: 'x', ERP_MODE: 'sometimes' }],
    ['demo/client.ts', { MCP_URL: 'nowhere', TEMPORAL_UI_URL: 'there' }],
  ])('ends %s before it does anything, with every problem in one list', async (entry, env) => {
    const { code, said } = await outcomeOf(entry, env);
    expect(code).toBe(1);
    for (const name of Object.keys(env)) expect(said).toMatch(new RegExp(`^ *- ${name}: `, 'm'));
    expect(said).not.toMatch(/^\s+at /m);
  });
});
