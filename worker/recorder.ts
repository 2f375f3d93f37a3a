/** How a worker reaches the audit. Tasks do not wait for it, so neither does what they ask of it. */
import type { Logger } from 'pino';
import type { ActRecorder } from '../activities/acts.ts';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { AuditLog } from '../store/audit-log.ts';
import { openStore } from '../store/open-store.ts';

export interface Recorder extends ActRecorder {
  readonly close: () => Promise<void>;
}

/** Both together are less than the time that a local activity has. */
const IMPATIENT = { maxConnections: 2, connectWithinMs: 1_000, answerWithinMs: 1_500 };

/** Without a database nothing is kept. */
export function openRecorder(
  databaseUrl: string | undefined,
  keys: AuditKeys,
  log: Pick<Logger, 'warn' | 'error'>,
): Recorder | undefined {
  if (databaseUrl === undefined) return undefined;
  let hasSaid = false;
  const onDown = (err: unknown): void => {
    // Asked every two seconds: once is enough for whoever runs a worker without its database.
    if (!hasSaid) log.warn({ err }, 'the database is away');
    hasSaid = true;
  };
  const { db, close, migrated } = openStore(databaseUrl, onDown, IMPATIENT);
  migrated.catch((err: unknown) => {
    log.error({ err }, 'the database does not have our schema');
  });
  const audit = new AuditLog(db, keys);
  return { record: (batch) => audit.record(batch), close };
}
