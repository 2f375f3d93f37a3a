/**
 * API keys: for machines that cannot sign in as a person does. A key belongs to a subject; several keys of one subject are
 * the same caller, so that a key can be replaced without losing its tasks.
 *
 * Every method throws a StoreDown when the database is out of reach.
 */
import { sql, type Kysely, type Selectable } from 'kysely';
import { formatApiKey, mintApiKey } from './api-key-format.ts';
import { hashApiKeySecret } from './api-key-hash.ts';
import { LAST_USED_STEP_MS } from './last-used-step.ts';
import type { Tables } from './tables.ts';

/** All that is kept of a key. Times in epoch ms. */
export interface ApiKeyRecord {
  readonly keyId: string;
  /** 32 bytes: HMAC of the secret under the pepper. */
  readonly secretHash: Buffer;
  readonly subject: string;
  readonly tenant?: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  /** From then on the key is refused. */
  readonly expiresAt?: number;
  /** Up to `LAST_USED_STEP_MS` late. */
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

export interface NewApiKey {
  readonly environment: string;
  readonly subject: string;
  readonly tenant?: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: number;
}

export class ApiKeys {
  readonly #db: Kysely<Tables>;
  readonly #pepper: Buffer;

  constructor(db: Kysely<Tables>, pepper: Buffer) {
    this.#db = db;
    this.#pepper = pepper;
  }

  /** The only time that the whole key can be seen: `text` is kept nowhere. */
  async create(wanted: NewApiKey): Promise<{ text: string; record: ApiKeyRecord }> {
    const key = mintApiKey(wanted.environment);
    const row = await this.#db
      .insertInto('api_keys')
      .values({
        key_id: key.keyId,
        secret_hash: hashApiKeySecret(this.#pepper, key.secret),
        subject: wanted.subject,
        tenant: wanted.tenant ?? null,
        scopes: [...wanted.scopes],
        expires_at: wanted.expiresAt === undefined ? null : new Date(wanted.expiresAt),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { text: formatApiKey(key), record: toRecord(row) };
  }

  /** Also a revoked or expired key is found; whoever signs somebody in has to look. */
  async find(keyId: string): Promise<ApiKeyRecord | undefined> {
    const row = await this.#db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst();
    return row && toRecord(row);
  }

  /** The newest first. */
  async list(): Promise<readonly ApiKeyRecord[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('key_id')
      .execute();
    return rows.map(toRecord);
  }

  /** Revoking twice keeps the first time. `undefined`: there is no such key. */
  async revoke(keyId: string): Promise<ApiKeyRecord | undefined> {
    const row = await this.#db
      .updateTable('api_keys')
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where('key_id', '=', keyId)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Notes that a key was used. Most calls find that it was noted a moment ago, and write nothing. */
  async touch(keyId: string): Promise<void> {
    const step = sql`make_interval(secs => ${LAST_USED_STEP_MS / 1_000})`;
    await this.#db
      .updateTable('api_keys')
      .set({ last_used_at: sql<Date>`now()` })
      .where('key_id', '=', keyId)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), sql<boolean>`last_used_at < now() - ${step}`]))
      .execute();
  }
}

function toRecord(row: Selectable<Tables['api_keys']>): ApiKeyRecord {
  return {
    keyId: row.key_id,
    secretHash: row.secret_hash,
    subject: row.subject,
    tenant: row.tenant ?? undefined,
    scopes: row.scopes,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at?.getTime(),
    lastUsedAt: row.last_used_at?.getTime(),
    revokedAt: row.revoked_at?.getTime(),
  };
}
