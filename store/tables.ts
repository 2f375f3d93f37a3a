/** The tables as Kysely sees them. store/schema/ makes them. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { NoticeChannel, NoticeDetails, NoticeKind } from '../protocol/notice.ts';
import type { JsonObject } from '../protocol/task.ts';

/** Times are `timestamptz`. */
interface ApiKeysTable {
  /** Primary key, 16 hex digits. */
  key_id: string;
  /** 32 bytes, see api-key-hash.ts. */
  secret_hash: Buffer;
  subject: string;
  tenant: string | null;
  scopes: readonly string[];
  created_at: Generated<Date>;
  expires_at: Date | null;
  last_used_at: ColumnType<Date | null, never, Date>;
  revoked_at: ColumnType<Date | null, never, Date>;
}

interface ApprovalsTable {
  approval_id: string;
  workflow_id: string;
  tool: string;
  title: string;
  amount: string | null;
  organisation: string | null;
  requested_by: string;
  roles: readonly string[];
  people: readonly string[];
  opened_at: Date;
  due_at: Date;
  claimed_by: ColumnType<string | null, never>;
  /** It no longer waits. Kept for a while, so that a page that began at it can go on. */
  closed_at: Date | null;
  queued_at: Generated<Date>;
  /** Of the last write to the row, by a trigger. */
  changed_at: Generated<Date>;
}

/** Rows are only ever added: a trigger refuses anything else. */
interface AuditTable {
  /** Counts from 1 without a gap. */
  id: bigint;
  task_id: string;
  /** Of an act that the task itself tells. */
  seq: number | null;
  at: Date;
  type: string;
  about: string;
  by: string | null;
  data: JSONColumnType<JsonObject>;
  key_id: string;
  /** See audit-chain.ts. */
  prev_hash: string;
  hash: string;
}

/** Which row was the last one, and when. */
interface AuditHeadsTable {
  id: bigint;
  hash: string;
  at: Date;
  key_id: string;
  signature: string;
}

/** What is to be told, and to whom; one row a delivery. */
interface NoticesTable {
  notice_id: Generated<string>;
  task_id: string;
  seq: number;
  /** The row of the audit that it comes from. */
  audit_id: bigint;
  kind: NoticeKind;
  channel: NoticeChannel;
  /** Subject of a person. Of a mail without one it has yet to be found out who is asked. */
  addressee: string | null;
  details: JSONColumnType<NoticeDetails>;
  /** Not before. */
  due_at: Date;
  next_at: Date;
  attempts: Generated<number>;
  /** It was sent, or is no longer to be sent. */
  done_at: ColumnType<Date | null, never, Date>;
  made_at: Generated<Date>;
}

/** Who stands in for whom. */
interface DelegationsTable {
  delegation_id: string;
  from_issuer: string;
  from_subject: string;
  from_tenant: string | null;
  from_name: string;
  to_subject: string;
  /** Null: all that the delegator decides. */
  role: string | null;
  from_at: Date;
  until_at: Date;
  created_at: Generated<Date>;
  revoked_at: ColumnType<Date | null, never, Date>;
}

export interface Tables {
  api_keys: ApiKeysTable;
  approvals: ApprovalsTable;
  audit: AuditTable;
  audit_heads: AuditHeadsTable;
  delegations: DelegationsTable;
  notices: NoticesTable;
}
