/**
 * The chain through the audit: each row carries a mark over itself and over the mark of the row before, made with a key that is
 * not in the database. Whoever can write to the database and has no key can neither change a row, nor take one out of the
 * middle, nor add one, without the chain breaking there.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AuditKey, AuditKeys } from '../protocol/audit-key.ts';
import type { JsonObject, JsonValue } from '../protocol/task.ts';

/** What is written of an act, before it has its place in the chain. `data` and the texts are what Postgres can keep. */
export interface AuditEntry {
  readonly taskId: string;
  readonly seq: number | null;
  readonly at: Date;
  readonly type: string;
  readonly about: string;
  readonly by: string | null;
  readonly data: JsonObject;
}

export interface AuditRow extends AuditEntry {
  readonly id: bigint;
  readonly keyId: string;
  readonly prevHash: string;
  readonly hash: string;
}

export interface AuditHead {
  readonly id: bigint;
  readonly hash: string;
  readonly at: Date;
  readonly keyId: string;
  readonly signature: string;
}

/** What stands before the first row. */
export const CHAIN_START: Pick<AuditRow, 'id' | 'hash'> = { id: 0n, hash: '0'.repeat(64) };

/** `entries` as rows that follow `last`. */
export function chained(
  entries: readonly AuditEntry[],
  last: Pick<AuditRow, 'id' | 'hash'>,
  [newest]: AuditKeys,
): readonly AuditRow[] {
  let { id, hash: prevHash } = last;
  return entries.map((entry) => {
    id += 1n;
    const row = { ...entry, id, keyId: newest.id, prevHash };
    const hash = rowHash(newest, row);
    prevHash = hash;
    return { ...row, hash };
  });
}

/** Whether the row is what was written by somebody who has the key. */
export function isGenuineRow(key: AuditKey, row: AuditRow): boolean {
  return isSame(rowHash(key, row), row.hash);
}

export function signedHead({ id, hash }: Pick<AuditRow, 'id' | 'hash'>, at: Date, [newest]: AuditKeys): AuditHead {
  const head = { id, hash, at, keyId: newest.id };
  return { ...head, signature: headSignature(newest, head) };
}

export function isGenuineHead(key: AuditKey, head: AuditHead): boolean {
  return isSame(headSignature(key, head), head.signature);
}

/** With what Postgres does not take, and a chain could not be checked over, replaced: NUL and halves of characters. */
export function keepable<Value extends JsonValue>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [keepable(name), cleaned(member)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function rowHash({ key }: AuditKey, row: Omit<AuditRow, 'hash'>): string {
  const { id, taskId, seq, at, type, about, by, data, keyId, prevHash } = row;
  return mac(key, ['row', prevHash, String(id), keyId, [taskId, seq, at.toISOString(), type, about, by], data]);
}

function headSignature({ key }: AuditKey, { id, hash, at, keyId }: Omit<AuditHead, 'signature'>): string {
  return mac(key, ['head', String(id), hash, at.toISOString(), keyId]);
}

function mac(key: Uint8Array, parts: JsonValue): string {
  return createHmac('sha256', key)
    .update(canonicalize(parts) ?? '')
    .digest('hex');
}

function isSame(right: string, found: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(found)];
  return a.length === b.length && timingSafeEqual(a, b);
}
