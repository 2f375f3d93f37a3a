/** Two people with real API keys bring files along to a real front; what one of them has, the other does not find. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readInvoices } from '../../activities/invoices/read-invoices.ts';
import { ALL_IN_ONE, invoiceFiles } from '../../demo/invoices/invoice-files.ts';
import { demoInvoices } from '../../demo/invoices/demo-invoice.ts';
import { ApiKeys } from '../../store/api-keys.ts';
import { migrate } from '../../store/migrate.ts';
import { openDatabase } from '../../store/postgres.ts';
import { openUploads } from '../../store/uploads.ts';
import { bearer, post } from '../support/mcp-request.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { openProduct, type Product } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';

const TEST_MS = 120_000;
const API_KEY_PEPPER = randomBytes(32).toString('hex');
const BOTH = ['tasks:read', 'tasks:write'];

let product: Product;
let front: RoleProcess;
let keys: ApiKeys;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  const databaseUrl = await postgres.emptyDatabase();
  await migrate(databaseUrl);
  const { db, close } = openDatabase(databaseUrl);
  atScopeEnd(close);
  keys = new ApiKeys(db, Buffer.from(API_KEY_PEPPER));
  product = await openProduct({ env: { DATABASE_URL: databaseUrl, API_KEY_PEPPER, AUTH: 'keys' } });
  front = await product.startFront();
}, TEST_MS);

async function keyOf(subject: string, scopes: readonly string[] = BOTH): Promise<string> {
  return (await keys.create({ environment: 'test', subject, scopes: [...scopes] })).text;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { fileId: string; error?: { message: string }; files?: { fileId: string }[] };
}

async function send(method: string, path: string, key?: string, bytes?: Uint8Array): Promise<Answer> {
  const response = await fetch(front.url + path, {
    method,
    headers: { 'content-type': 'application/zip', ...(key === undefined ? {} : bearer(key)) },
    ...(bytes === undefined ? {} : { body: new Uint8Array(bytes) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
  };
}

describe('an uploaded file', () => {
  it(
    'is read by whoever shares the folder, as its caller’s, and by nobody else',
    async () => {
      const [ada, bob] = [await keyOf('ada'), await keyOf('bob')];
      const zip = (await invoiceFiles()).at(-1)!.bytes;
      const { status, body } = await send('POST', `/files?name=${ALL_IN_ONE}`, ada, zip);
      expect(status).toBe(201);

      const blobDir = join(product.env['DATA_DIR']!, 'blobs');
      const [caller = ''] = await readdir(join(blobDir, 'uploads'));
      const found = await openUploads(blobDir).read(caller, body.fileId);
      const { invoices, faults } = await readInvoices(found!.bytes, found!.upload.name);
      expect([invoices.length, faults]).toEqual([demoInvoices().length, []]);

      expect((await send('GET', '/files', bob)).body).toEqual({ files: [] });
      const foreign = await send('DELETE', `/files/${body.fileId}`, bob);
      const unknown = await send('DELETE', `/files/${'A'.repeat(22)}`, bob);
      expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);

      // Another key of the same subject is the same person.
      const again = await keyOf('ada');
      expect((await send('GET', '/files', again)).body.files?.map(({ fileId }) => fileId)).toEqual([body.fileId]);
      const { body: listed } = await post(`${front.url}/mcp`, { method: 'resources/list', headers: bearer(ada) });
      expect(listed.result).toMatchObject({ resources: [] });
      expect((await send('DELETE', `/files/${body.fileId}`, again)).status).toBe(204);
      expect((await send('GET', '/files', ada)).body).toEqual({ files: [] });
    },
    TEST_MS,
  );

  it(
    'needs a key, and the scope for what is done',
    async () => {
      const reads = await keyOf('reader', ['tasks:read']);
      const writes = await keyOf('writer', ['tasks:write']);
      const zip = await readFile(new URL('../../demo/invoices/invoices.json', import.meta.url));
      for (const method of ['GET', 'POST']) {
        const nobody = await send(method, '/files?name=a.zip', undefined, method === 'POST' ? zip : undefined);
        expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
          401,
          expect.stringMatching(/^Bearer/),
        ]);
      }
      const ungranted = await send('POST', '/files?name=a.zip', reads, zip);
      expect([ungranted.status, ungranted.body.error?.message]).toEqual([403, 'This needs the scope tasks:write.']);
      expect((await send('DELETE', `/files/${'A'.repeat(22)}`, reads)).status).toBe(403);
      expect((await send('GET', '/files', writes)).status).toBe(403);
      expect((await send('GET', '/files', reads)).status).toBe(200);
    },
    TEST_MS,
  );
});
