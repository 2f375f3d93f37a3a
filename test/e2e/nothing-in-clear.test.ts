/**
 * What Temporal keeps of real runs, read as whoever gets hold of its database file would read it; and that nothing which
 * proves who somebody is stays anywhere, however much is logged.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ApiKeys } from '../../store/api-keys.ts';
import { migrate } from '../../store/migrate.ts';
import { openDatabase } from '../../store/postgres.ts';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { bearer, post } from '../support/mcp-request.ts';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { patiently } from '../support/patience.js';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCall, openProduct } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createSignedInClient, createTaskClient, resultOf } from '../support/task-client.ts';
import { startTokenIssuer } from '../support/token-issuer.ts';

const TEST_MS = patiently(60_000);
const WITHIN_MS = 30_000;
const AUDIENCE = 'https://host.test/mcp';
/** What `output()` of a process keeps at most: with as much the beginning may be gone. */
const WHOLE_OUTPUT_CHARACTERS = 200_000;

type Env = Readonly<Record<string, string>>;

interface Run {
  /** The bytes of Temporal's database. */
  readonly database: Buffer;
  /** What front, worker and ERP have written, and what the front answered to credentials that are not good. */
  readonly told: readonly string[];
}

/** What callers show; absent, nobody is asked. */
interface Credentials {
  readonly token: string;
  readonly apiKey: string;
  /** Are refused. */
  readonly otherToken: string;
  readonly otherApiKey: string;
}

/** Texts that occur nowhere else. `vendor` comes back in the result; `policy` is a file name that a failure names. */
function secrets() {
  const secret = (): string => `Q${randomBytes(9).toString('hex')}`;
  return {
    vendor: secret(),
    description: secret(),
    summary: secret(),
    progress: secret(),
    answer: secret(),
    policy: secret(),
  };
}

/** Orders, answers and fails under the token, and computes under the API key, on a Temporal with a database file. */
async function runWith(planted: ReturnType<typeof secrets>, env: Env, shown?: Credentials): Promise<Run> {
  const folder = await temporaryFolder();
  const databaseFile = join(await temporaryFolder(), 'temporal.db');
  const policyFile = join(folder, `${planted.policy}.json`);
  await copyFile(join(repositoryRoot, 'policy/purchase-policy.json'), policyFile);
  const temporal = await startOwnTemporal({ databaseFile });
  const product = await openProduct({
    address: temporal.address,
    env: { PURCHASE_POLICY_FILE: policyFile, SYNC_BUDGET_MS: '0', ...env },
  });
  const [front, worker] = await Promise.all([product.startFront(), product.startWorker()]);
  const [client, machine] =
    shown === undefined
      ? [createTaskClient(front.url), createTaskClient(front.url)]
      : [createSignedInClient(shown.token, front.url), createSignedInClient(shown.apiKey, front.url)];

  const lines = [{ description: planted.description, quantity: '1', unitPrice: '1200.00' }];
  const ordered = await client.create('purchase_order', aCall({ vendor: planted.vendor, lines }));
  await client.until(ordered, ['input_required'], WITHIN_MS);
  await client.accept(ordered, { justification: `${planted.answer} and more words` });
  const result = resultOf(await client.until(ordered, ['completed'], WITHIN_MS));
  expect(JSON.stringify(result)).toContain(planted.vendor);

  const computed = await machine.create('slow_compute', { seconds: 1, label: planted.progress });
  await machine.until(computed, ['completed'], WITHIN_MS);

  await rm(policyFile);
  const failing = await client.create('purchase_order', aCall({ vendor: planted.summary }));
  await eventually(() => expect(worker.output()).toContain(`${planted.policy}.json`), WITHIN_MS);
  await client.cancel(failing);
  await client.until(failing, ['cancelled', 'completed'], WITHIN_MS);

  const refusals = await Promise.all(
    (shown === undefined ? [] : [shown.otherToken, shown.otherApiKey]).map(async (credential) => {
      const refused = await post(`${front.url}/mcp`, { method: 'tools/list', headers: bearer(credential) });
      expect(refused.status).toBe(401);
      return JSON.stringify([refused.body, ...refused.headers]);
    }),
  );
  await Promise.all([front.end(), worker.end()]);
  const told = [front.output(), worker.output(), product.erp.output(), ...refusals];
  await temporal.kill9();
  // With whatever log or journal SQLite keeps beside it.
  const files = (await readdir(dirname(databaseFile))).map((name) => join(dirname(databaseFile), name));
  return { database: Buffer.concat(await Promise.all(files.map((file) => readFile(file)))), told };
}

/** Both ways to sign in, and what to show for each of them. */
async function bothWays(): Promise<{ env: Env; shown: Credentials }> {
  const [issuer, postgres] = await Promise.all([
    startTokenIssuer({ audience: AUDIENCE }),
    startPostgres(postgresKinds[0]!),
  ]);
  const [databaseUrl, pepper] = [await postgres.emptyDatabase(), randomBytes(32).toString('hex')];
  await migrate(databaseUrl);
  const { db, close } = openDatabase(databaseUrl);
  atScopeEnd(close);
  const wanted = { environment: 'test', subject: 'robot', scopes: ['tasks:read', 'tasks:write'] };
  const keyUnder = async (bytes: Buffer): Promise<string> => (await new ApiKeys(db, bytes).create(wanted)).text;
  return {
    env: {
      AUTH: 'jwt,keys',
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      DATABASE_URL: databaseUrl,
      API_KEY_PEPPER: pepper,
    },
    shown: {
      token: await issuer.token(),
      apiKey: await keyUnder(Buffer.from(pepper)),
      otherToken: await issuer.token({ claims: { aud: 'https://elsewhere.test/mcp' } }),
      otherApiKey: await keyUnder(randomBytes(32)),
    },
  };
}

/** The part of a credential that proves something: a token's signature, a key's secret. */
function proofs(shown: Credentials): Readonly<Record<string, string>> {
  return {
    token: shown.token.split('.')[2]!,
    otherToken: shown.otherToken.split('.')[2]!,
    apiKey: shown.apiKey.split('_')[3]!,
    otherApiKey: shown.otherApiKey.split('_')[3]!,
  };
}

/** As it is, in both orders of UTF-16, and in base64, whatever stands before and behind it. */
function writings(text: string): readonly Buffer[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const written = Buffer.from('.'.repeat(before) + text).toString('base64');
    return written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
  const utf16 = Buffer.from(text, 'utf16le');
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16(), ...inBase64.map((part) => Buffer.from(part))];
}

function foundIn(database: Buffer, planted: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(planted).flatMap(([name, text]) =>
    writings(text).some((bytes) => database.includes(bytes)) ? [name] : [],
  );
}

describe('the database of Temporal', () => {
  it(
    'holds no argument, answer, result, progress, summary, file name or failure message in clear',
    async () => {
      const planted = secrets();
      const { database } = await runWith(planted, {});
      expect(foundIn(database, planted)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'holds all of them where encryption is off, so that the search is known to find them, and no token or API key',
    async () => {
      const planted = secrets();
      const { env, shown } = await bothWays();
      const { database, told } = await runWith(planted, { ...env, ENCRYPTION: 'off', LOG_LEVEL: 'trace' }, shown);
      expect(foundIn(database, planted)).toEqual(Object.keys(planted));
      expect(foundIn(database, proofs(shown))).toEqual([]);
      expect(told.every((text) => text !== '' && text.length < WHOLE_OUTPUT_CHARACTERS)).toBe(true);
      expect(foundIn(Buffer.from(told.join('\n')), proofs(shown))).toEqual([]);
    },
    TEST_MS,
  );
});

describe('the search', () => {
  it.each(['x', 'xy', 'xyz'])('finds a text in base64 behind %s', (before) => {
    const planted = secrets();
    const database = Buffer.from(Buffer.from(`${before}${planted.answer}${before}`).toString('base64'));
    expect(foundIn(database, planted)).toEqual(['answer']);
  });

  it('finds a text in UTF-16', () => {
    const planted = secrets();
    expect(foundIn(Buffer.from(`x${planted.vendor}`, 'utf16le'), planted)).toEqual(['vendor']);
  });
});
