/**
 * Which row was the last one, signed every hour: whoever takes the newest rows away leaves a head behind that nothing belongs to.
 */
import type { Kysely } from 'kysely';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { CHAIN_START, signedHead, type AuditHead } from './audit-chain.ts';
import { lastRow, lockAudit } from './audit-log.ts';
import type { Tables } from './tables.ts';

export const HEAD_EVERY_MS = 3_600_000;

/**
 * Signs the head when the last one is `everyMs` old, however many processes want to.
 * @returns what was signed @throws StoreDown
 */
export async function signHead(
  db: Kysely<Tables>,
  keys: AuditKeys,
  everyMs: number = HEAD_EVERY_MS,
): Promise<AuditHead | undefined> {
  return db.transaction().execute(async (transaction) => {
    await lockAudit(transaction);
    const now = new Date();
    const last = await lastRow(transaction);
    const newest = await transaction
      .selectFrom('audit_heads')
      .select('at')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const isEarly = newest !== undefined && now.getTime() - newest.at.getTime() < everyMs;
    if (isEarly || last.id === CHAIN_START.id) return undefined;
    const { keyId, ...head } = signedHead(last, now, keys);
    await transaction
      .insertInto('audit_heads')
      .values({ ...head, key_id: keyId })
      .execute();
    return { ...head, keyId };
  });
}
