import { beforeEach, describe, expect, it } from '@jest/globals';
import { createApiKeyVerifier, type ApiKeyRecords } from '../../../../server/auth/api-key-verifier.ts';
import type { CredentialVerifier } from '../../../../server/auth/credential.ts';
import { formatApiKey, mintApiKey } from '../../../../store/api-key-format.ts';
import { hashApiKeySecret } from '../../../../store/api-key-hash.ts';
import type { ApiKeyRecord } from '../../../../store/api-keys.ts';
import { StoreDown } from '../../../../store/store-down.ts';
import { eventually } from '../../../support/eventually.ts';

const pepper = Buffer.alloc(32, 3);
const key = mintApiKey('test');
const text = formatApiKey(key);
const record: ApiKeyRecord = {
  keyId: key.keyId,
  secretHash: hashApiKeySecret(pepper, key.secret),
  subject: 'robot',
  scopes: ['tasks:read', 'tasks:write'],
  createdAt: 0,
  lastUsedAt: Date.now(),
};
const credential = { issuer: 'api-key', subject: 'robot', scopes: new Set(['tasks:read', 'tasks:write']) };

class Rows implements ApiKeyRecords {
  readonly rows = new Map<string, ApiKeyRecord>();
  readonly touched: string[] = [];
  findCount = 0;
  down: StoreDown | undefined;

  async find(keyId: string): Promise<ApiKeyRecord | undefined> {
    this.findCount += 1;
    if (this.down !== undefined) throw this.down;
    return this.rows.get(keyId);
  }
  async touch(keyId: string): Promise<void> {
    this.touched.push(keyId);
    if (this.down !== undefined) throw this.down;
  }
}

let rows: Rows;
let warnings: unknown[];
let verifier: CredentialVerifier;
beforeEach(() => {
  rows = new Rows();
  rows.rows.set(key.keyId, record);
  warnings = [];
  verifier = make();
});

function make(recordTtlMs?: number): CredentialVerifier {
  const log = { warn: (...words: unknown[]) => warnings.push(words) };
  return createApiKeyVerifier({ records: rows, pepper, log, ...(recordTtlMs === undefined ? {} : { recordTtlMs }) });
}

function store(more: Partial<ApiKeyRecord>): void {
  rows.rows.set(key.keyId, { ...record, ...more });
}

describe('createApiKeyVerifier', () => {
  it('recognizes our keys by their beginning, and no JWT', () => {
    expect(verifier.recognizes(text)).toBe(true);
    expect(verifier.recognizes('eyJhbGciOiJSUzI1NiJ9.e30.AA')).toBe(false);
  });

  it('takes a key that the store knows', async () => {
    expect(await verifier.verify(text)).toEqual({ credential });
  });

  it('speaks for the subject and tenant of the key, until it expires', async () => {
    const expiresAt = Date.now() + 60_000;
    store({ tenant: 'acme', expiresAt });
    expect(await verifier.verify(text)).toEqual({ credential: { ...credential, tenant: 'acme', expiresAt } });
  });

  it.each([
    ['a wrong secret', formatApiKey({ ...key, secret: Buffer.alloc(32) })],
    ['an unknown key', formatApiKey(mintApiKey('test'))],
    ['a wrong checksum', text.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    ['a cut key', text.slice(0, -9)],
    ['another case', text.toUpperCase().replace('MCP', 'mcp')],
  ])('answers %s with the same words', async (_what, token) => {
    expect(await verifier.verify(token)).toEqual({
      fault: { kind: 'invalid', text: 'The API key is not valid here.', reason: expect.any(String) },
    });
  });

  it('looks nothing up for a key that was mistyped', async () => {
    await verifier.verify(`${text}0`);
    await verifier.verify(text.replace('_test_', '_live_'));
    expect(rows.findCount).toBe(0);
  });

  it('refuses a revoked key like one that never was', async () => {
    store({ revokedAt: Date.now() });
    expect(await verifier.verify(text)).toMatchObject({
      fault: { kind: 'invalid', text: 'The API key is not valid here.' },
    });
  });

  it('says that a key has expired, but only to who knows its secret', async () => {
    store({ expiresAt: Date.now() - 1 });
    expect(await verifier.verify(text)).toMatchObject({ fault: { kind: 'expired', text: 'The API key has expired.' } });
    const wrong = formatApiKey({ ...key, secret: Buffer.alloc(32) });
    expect(await verifier.verify(wrong)).toMatchObject({ fault: { kind: 'invalid' } });
  });

  it('says that it cannot tell while the store is down, and keeps why for the log', async () => {
    rows.down = new StoreDown();
    const verdict = await verifier.verify(text);
    expect(verdict).toEqual({
      fault: { kind: 'unavailable', text: expect.stringContaining('Try again'), retryAfterMs: 5_000, cause: rows.down },
    });
    rows.down = undefined;
    expect(await verifier.verify(text)).toEqual({ credential });
  });

  it('asks the store once for many requests, also at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(text)));
    await verifier.verify(text);
    expect(rows.findCount).toBe(1);
  });

  it('learns of a revocation when the record has aged', async () => {
    verifier = make(500);
    expect(await verifier.verify(text)).toEqual({ credential });
    store({ revokedAt: Date.now() });
    expect(await verifier.verify(text)).toEqual({ credential });
    await eventually(async () => 'fault' in (await verifier.verify(text)), 5_000);
  });

  it('takes a new key at once, although it was asked for before', async () => {
    rows.rows.clear();
    expect(await verifier.verify(text)).toHaveProperty('fault');
    store({});
    expect(await verifier.verify(text)).toEqual({ credential });
  });

  it('notes the use of a key once in a while, and no use that was refused', async () => {
    store({ lastUsedAt: Date.now() - 11 * 60_000 });
    await verifier.verify(formatApiKey({ ...key, secret: Buffer.alloc(32) }));
    expect(rows.touched).toEqual([]);
    for (let count = 0; count < 5; count += 1) await verifier.verify(text);
    expect(rows.touched).toEqual([key.keyId]);
  });

  it('does not mind when the use cannot be noted', async () => {
    store({ lastUsedAt: undefined });
    verifier = make();
    const verdicts = [verifier.verify(formatApiKey({ ...key, secret: Buffer.alloc(32) }))];
    await Promise.all(verdicts);
    rows.down = new StoreDown();
    expect(await verifier.verify(text)).toEqual({ credential });
    await eventually(() => warnings.length === 1);
  });
});
