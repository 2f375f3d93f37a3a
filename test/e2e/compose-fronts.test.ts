/** A front and a worker as docker-compose.yml sets them, less its containers: names and folders are those of this machine. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { compiledEntry } from '../support/compiled-entry.ts';
import { post } from '../support/mcp-request.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, openProduct, type Product } from '../support/product.ts';
import { createSignedInClient } from '../support/task-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TEST_MS = 120_000;
/** What names something that only a container has, or is ours to choose. */
const OF_CONTAINERS = /^(TEMPORAL_|TASK_QUEUE$|DATA_DIR$|ERP_URL$|PORT$|WORKER_PORT$)/;

const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<string, { environment: Record<string, string> }>;
};

let product: Product;
let front: RoleProcess;
let secretFiles: Readonly<Record<string, string>>;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  const folder = await temporaryFolder();
  await promisify(execFile)('sh', ['deploy/make-secrets.sh', folder]);
  await writeFile(join(folder, 'store-url'), `${await postgres.emptyDatabase()}\n`);
  secretFiles = {
    DATABASE_URL_FILE: join(folder, 'store-url'),
    API_KEY_PEPPER_FILE: join(folder, 'api-key-pepper'),
  };
  product = await openProduct();
  [front] = await Promise.all([product.startFront(settingsOf('front-1')), product.startWorker(settingsOf('worker'))]);
}, TEST_MS);

function settingsOf(service: string): Readonly<Record<string, string>> {
  const { environment } = services[service]!;
  const given = Object.entries(environment).filter(([name]) => !OF_CONTAINERS.test(name));
  return Object.fromEntries(given.map(([name, value]) => [name, secretFiles[name] ?? value]));
}

/** What docs/operations.md has the operator call in front-1. */
async function firstKey(): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, ...product.env, ...settingsOf('front-1') };
  const command = [compiledEntry('store/keys-main.ts'), 'create', '--subject', 'billing-robot', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return (JSON.parse(stdout) as { key: string }).key;
}

describe('a front of docker-compose.yml', () => {
  it('is ready, and lets nobody in without a key', async () => {
    expect((await fetch(`${front.url}/readyz`)).status).toBe(200);
    const refused = await post(`${front.url}/mcp`, { method: 'tools/list' });
    expect(refused.status).toBe(401);
  });

  it(
    'takes an order under the first key that its operator makes',
    async () => {
      const client = createSignedInClient(await firstKey(), front.url);
      const taskId = await client.create('purchase_order', aCall());
      expect(await client.until(taskId, ['completed'], 20_000)).toMatchObject({ status: 'completed' });
    },
    TEST_MS,
  );

  it('has no inbox: nobody could sign in there', async () => {
    expect((await fetch(`${front.url}/inbox`, { redirect: 'manual' })).status).toBe(404);
  });
});
