/** Signing in with API keys that a real database keeps. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKeyVerifier } from '../../../server/auth/api-key-verifier.ts';
import { createAuthenticate, type SignIn } from '../../../server/auth/authenticate.ts';
import type { Caller } from '../../../server/caller.ts';
import { createLog } from '../../../server/log.ts';
import { principalOf } from '../../../server/principal.ts';
import { parseApiKey } from '../../../store/api-key-format.ts';
import { ApiKeys } from '../../../store/api-keys.ts';
import { migrate } from '../../../store/migrate.ts';
import { openDatabase } from '../../../store/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';

const pepper = randomBytes(32);
const key = randomBytes(32);
const wanted = { environment: 'live', subject: 'robot', scopes: ['tasks:read'] };

let postgres: TestPostgres;
let keys: ApiKeys;
beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
  const url = await postgres.emptyDatabase();
  await migrate(url);
  const database = openDatabase(url);
  atScopeEnd(database.close);
  keys = new ApiKeys(database.db, pepper);
}, 60_000);

function signInWith(recordTtlMs?: number): (text: string) => Promise<SignIn> {
  const log = createLog('silent');
  const verifier = createApiKeyVerifier({
    records: keys,
    pepper,
    log,
    ...(recordTtlMs === undefined ? {} : { recordTtlMs }),
  });
  const authenticate = createAuthenticate({ verifiers: [verifier], principalRing: [key], log });
  return (text) => authenticate({ rawHeaders: ['Authorization', `Bearer ${text}`], socket: { remoteAddress: '::1' } });
}

async function callerOf(text: string): Promise<Caller> {
  const outcome = await signInWith()(text);
  if ('refusal' in outcome) throw new Error(outcome.refusal.kind);
  return outcome.caller;
}

describe('an API key', () => {
  it('speaks for its subject, and so does the key that replaces it', async () => {
    const [older, newer, other] = await Promise.all([
      keys.create(wanted),
      keys.create({ ...wanted, scopes: ['tasks:read', 'tasks:write'] }),
      keys.create({ ...wanted, tenant: 'acme' }),
    ]);
    const principal = principalOf(key, { issuer: 'api-key', subject: 'robot' });
    expect(await callerOf(older.text)).toEqual({
      principal,
      tenant: principal,
      displayName: 'robot',
      identity: { subject: 'robot' },
      scopes: new Set(['tasks:read']),
    });
    expect(await callerOf(newer.text)).toMatchObject({ principal, scopes: new Set(['tasks:read', 'tasks:write']) });
    expect((await callerOf(other.text)).principal).not.toBe(principal);
  });

  it('is good no more soon after it was revoked', async () => {
    const { text, record } = await keys.create(wanted);
    const signIn = signInWith(100);
    expect(await signIn(text)).toHaveProperty('caller');
    await keys.revoke(record.keyId);
    await eventually(async () => 'refusal' in (await signIn(text)));
    expect(await signIn(text)).toEqual({ refusal: { kind: 'invalid', text: 'The API key is not valid here.' } });
  });

  it('says when it was used', async () => {
    const { text } = await keys.create(wanted);
    const { keyId } = parseApiKey(text)!;
    await callerOf(text);
    await eventually(async () => (await keys.find(keyId))?.lastUsedAt !== undefined);
  });
});

describe('a database that is down', () => {
  it('refuses nobody for good, and signs in again once it is back', async () => {
    const { text } = await keys.create(wanted);
    const signIn = signInWith();
    postgres.signal('SIGKILL');
    await postgres.ended();
    expect(await signIn(text)).toEqual({
      refusal: {
        kind: 'unavailable',
        text: 'The API key cannot be checked at the moment. Try again in a few seconds.',
        retryAfterMs: 5_000,
      },
    });
    await postgres.restart();
    await eventually(async () => 'caller' in (await signIn(text)), 10_000);
  }, 60_000);
});
