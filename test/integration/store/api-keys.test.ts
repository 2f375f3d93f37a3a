import { randomBytes, timingSafeEqual } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import { parseApiKey } from '../../../store/api-key-format.ts';
import { hashApiKeySecret } from '../../../store/api-key-hash.ts';
import { ApiKeys } from '../../../store/api-keys.ts';
import { LAST_USED_STEP_MS } from '../../../store/last-used-step.ts';
import { migrate } from '../../../store/migrate.ts';
import { openDatabase, type Database } from '../../../store/postgres.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';

const PEPPER = randomBytes(32);
const wanted = { environment: 'live', subject: 'robot', scopes: ['tasks:read', 'tasks:write'] };

describe.each(postgresKinds)('API keys on $name', (kind) => {
  let database: Database;
  let keys: ApiKeys;
  let url: string;

  beforeAll(async () => {
    url = await (await startPostgres(kind)).emptyDatabase();
    await migrate(url);
    database = openDatabase(url);
    atScopeEnd(database.close);
    keys = new ApiKeys(database.db, PEPPER);
  }, 60_000);

  it('are found by their id, with what proves their secret and nothing more', async () => {
    const { text, record } = await keys.create({ ...wanted, tenant: 'north', expiresAt: Date.now() + 60_000 });
    const { keyId, secret } = parseApiKey(text)!;
    const found = await keys.find(keyId);
    expect(found).toEqual(record);
    expect(found).toMatchObject({ keyId, subject: 'robot', tenant: 'north', scopes: wanted.scopes });
    expect(found!.expiresAt! - found!.createdAt).toBeGreaterThan(50_000);
    expect(timingSafeEqual(found!.secretHash, hashApiKeySecret(PEPPER, secret))).toBe(true);
    expect(timingSafeEqual(found!.secretHash, hashApiKeySecret(randomBytes(32), secret))).toBe(false);
    expect(timingSafeEqual(found!.secretHash, hashApiKeySecret(PEPPER, randomBytes(32)))).toBe(false);
  });

  it('leave nothing of the secret in the database', async () => {
    const { text } = await keys.create(wanted);
    const { keyId, secret } = parseApiKey(text)!;
    const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(database.db);
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain(keyId);
    for (const encoding of ['hex', 'base64', 'latin1'] as const)
      expect(stored).not.toContain(secret.toString(encoding));
  });

  it('are unknown by an id that was never given out, whatever is asked', async () => {
    expect(await keys.find('0'.repeat(16))).toBeUndefined();
    expect(await keys.find("' or true --")).toBeUndefined();
    expect(await keys.revoke('0'.repeat(16))).toBeUndefined();
    await expect(keys.touch('0'.repeat(16))).resolves.toBeUndefined();
  });

  it('of one subject are several, the newest listed first', async () => {
    const subject = `rotated-${randomBytes(4).toString('hex')}`;
    const older = await keys.create({ ...wanted, subject });
    const newer = await keys.create({ ...wanted, subject });
    const listed = (await keys.list()).filter((record) => record.subject === subject);
    expect(listed.map(({ keyId }) => keyId)).toEqual([newer.record.keyId, older.record.keyId]);
  });

  it('stay found when revoked, and keep the time of the first revocation', async () => {
    const { record } = await keys.create(wanted);
    const first = await keys.revoke(record.keyId);
    expect(first!.revokedAt).toBeGreaterThanOrEqual(record.createdAt);
    expect(await keys.revoke(record.keyId)).toEqual(first);
    expect(await keys.find(record.keyId)).toEqual(first);
  });

  it('are noted as used at most once a step', async () => {
    const { record } = await keys.create(wanted);
    expect(record.lastUsedAt).toBeUndefined();
    await keys.touch(record.keyId);
    const first = (await keys.find(record.keyId))!.lastUsedAt!;
    expect(Math.abs(Date.now() - first)).toBeLessThan(60_000);
    await Promise.all(Array.from({ length: 5 }, () => keys.touch(record.keyId)));
    expect((await keys.find(record.keyId))!.lastUsedAt).toBe(first);
    const longAgo = new Date(first - LAST_USED_STEP_MS - 1_000);
    await database.db
      .updateTable('api_keys')
      .set({ last_used_at: longAgo })
      .where('key_id', '=', record.keyId)
      .execute();
    await keys.touch(record.keyId);
    expect((await keys.find(record.keyId))!.lastUsedAt).toBeGreaterThanOrEqual(first);
  });

  it('take whatever text a subject is written in', async () => {
    const subject = `Zoë "'; drop table api_keys; -- 東京 😀`;
    const { record } = await keys.create({ ...wanted, subject, scopes: ['a"b', '{x,y}'.replace('"', '')] });
    expect(await keys.find(record.keyId)).toMatchObject({ subject, scopes: ['a"b', '{x,y}'] });
  });

  it('stand beside whole numbers of eight bytes, which come as bigint, for us alone', async () => {
    const { rows } = await sql<{ n: bigint }>`select 9007199254740993::int8 as n`.execute(database.db);
    expect(rows).toEqual([{ n: 9_007_199_254_740_993n }]);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    atScopeEnd(() => client.end());
    expect((await client.query('select 1::int8 as n')).rows).toEqual([{ n: '1' }]);
  });
});
