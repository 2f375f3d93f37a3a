/**
 * What `npm run build` makes for the image, by the compiler of the image: each role runs from it, with all that it reads
 * beside itself.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { invoiceFiles } from '../../demo/invoices/invoice-files.ts';
import { runCommand } from '../../scripts/run-command.js';
import { answersOk, repositoryRoot } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { patiently } from '../support/patience.js';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { startTracked } from '../support/processes.ts';
import { aCall, openProduct } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createTaskClient, questionsOf, resultOf, textOf } from '../support/task-client.ts';
import { uploadFile } from '../support/upload-file.ts';

const BUILD_MS = 120_000;
const TEST_MS = 90_000;

let built: string;
beforeAll(async () => {
  // The packages are found from here.
  built = join(repositoryRoot, '.data', `built-${randomUUID()}`);
  atScopeEnd(() => rm(built, { recursive: true, force: true }));
  const command = ['scripts/build.js', built];
  const { ok, output } = await runCommand(process.execPath, command, {
    cwd: repositoryRoot,
    timeoutMs: patiently(BUILD_MS),
  });
  if (!ok) throw new Error(output);
}, BUILD_MS);

/** As the commands of docker-compose.yml do. */
async function start(entry: string, portVariable: string, ready: string, env: object): Promise<string> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  await startTracked({
    name: entry,
    command: process.execPath,
    args: [join(built, entry)],
    env: { NODE_ENV: 'production', ...env, [portVariable]: port },
    isReady: () => answersOk(url + ready),
  });
  return url;
}

it(
  'serves the inbox, an order with its PDF, and reads an invoice of paper, in the roles of the image',
  async () => {
    const postgres = await startPostgres(postgresKinds[0]!);
    const { env } = await openProduct({ env: { DATABASE_URL: await postgres.emptyDatabase() } });
    const ERP_URL = await start('demo/erp/main.js', 'ERP_PORT', '/healthz', { DATA_DIR: env['DATA_DIR'] });
    const all = { ...env, ERP_URL };
    const [url] = await Promise.all([
      start('server/main.js', 'PORT', '/readyz', all),
      start('worker/main.js', 'WORKER_PORT', '/readyz', { ...all, WORKFLOW_BUNDLE: join(built, 'workflow-bundle.js') }),
    ]);
    for (const name of ['inbox.css', 'live.js', 'htmx.js'])
      expect(await answersOk(`${url}/inbox/assets/${name}`)).toBe(true);
    const client = createTaskClient(url);
    const ordered = resultOf(await client.until(await client.create('purchase_order', aCall()), ['completed'], 30_000));
    expect(textOf(ordered)).toMatch(/^Order PO-\d+ is posted/);
    const link = ordered.content.find(({ type }) => type === 'resource_link') as { uri: string };
    const { contents } = await client.request({ method: 'resources/read', params: { uri: link.uri } });
    const [{ blob }] = contents as [{ blob: string }];
    expect(Buffer.from(blob, 'base64').toString('latin1')).toMatch(/^%PDF-/);

    const paper = (await invoiceFiles()).find(({ name }) => name.endsWith('.pdf'))!;
    const files = [await uploadFile(url, 'paper.pdf', 'application/pdf', paper.bytes)];
    const taskId = await client.create('reconcile_invoices', { files });
    const asked = await client.until(taskId, ['input_required'], 30_000);
    expect(Object.keys(questionsOf(asked))).toEqual([expect.stringMatching(/^invoice-1-/)]);
    await client.cancel(taskId);
    await client.until(taskId, ['cancelled'], 30_000);
  },
  TEST_MS,
);
