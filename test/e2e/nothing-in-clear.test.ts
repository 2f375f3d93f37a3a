/** What Temporal keeps of real runs, read as whoever gets hold of its database file would read it. */
import { randomBytes } from 'node:crypto';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCall, openProduct } from '../support/product.ts';
import { createTaskClient, resultOf } from '../support/task-client.ts';

const TEST_MS = 120_000;
const WITHIN_MS = 30_000;

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

/** Orders, answers, computes, and fails, on a Temporal with a database file. Resolves with the bytes of that database. */
async function databaseAfter(planted: ReturnType<typeof secrets>, env: Readonly<Record<string, string>>) {
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
  const client = createTaskClient(front.url);

  const lines = [{ description: planted.description, quantity: '1', unitPrice: '1200.00' }];
  const ordered = await client.create('purchase_order', aCall({ vendor: planted.vendor, lines }));
  await client.until(ordered, ['input_required'], WITHIN_MS);
  await client.accept(ordered, { justification: `${planted.answer} and more words` });
  const result = resultOf(await client.until(ordered, ['completed'], WITHIN_MS));
  expect(JSON.stringify(result)).toContain(planted.vendor);

  const computed = await client.create('slow_compute', { seconds: 1, label: planted.progress });
  await client.until(computed, ['completed'], WITHIN_MS);

  await rm(policyFile);
  const failing = await client.create('purchase_order', aCall({ vendor: planted.summary }));
  await eventually(() => expect(worker.output()).toContain(`${planted.policy}.json`), WITHIN_MS);
  await client.cancel(failing);
  await client.until(failing, ['cancelled', 'completed'], WITHIN_MS);

  await temporal.kill9();
  // With whatever log or journal SQLite keeps beside it.
  const files = (await readdir(dirname(databaseFile))).map((name) => join(dirname(databaseFile), name));
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
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

function foundIn(database: Buffer, planted: ReturnType<typeof secrets>): readonly string[] {
  return Object.entries(planted).flatMap(([name, text]) =>
    writings(text).some((bytes) => database.includes(bytes)) ? [name] : [],
  );
}

describe('the database of Temporal', () => {
  it(
    'holds no argument, answer, result, progress, summary, file name or failure message in clear',
    async () => {
      const planted = secrets();
      const database = await databaseAfter(planted, {});
      expect(foundIn(database, planted)).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'holds all of them where encryption is off, so that the search is known to find them',
    async () => {
      const planted = secrets();
      const database = await databaseAfter(planted, { ENCRYPTION: 'off' });
      expect(foundIn(database, planted)).toEqual(Object.keys(planted));
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
