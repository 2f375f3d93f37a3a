/** One key under which the audit is chained. It is never in the database that holds the audit. */
export interface AuditKey {
  /** Stands in clear beside whatever was made with the key. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Newest first: what is written is chained under the newest, what was written is checked under its own. */
export type AuditKeys = readonly [newest: AuditKey, ...former: AuditKey[]];
