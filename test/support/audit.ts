/** A database with an audit in it, and the key of the tests. */
import { randomBytes } from 'node:crypto';
import type { AuditKeys } from '../../protocol/audit-key.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { rowsOfTask } from '../../store/audit-rows.ts';
import { migrate } from '../../store/migrate.ts';
import { openDatabase, type Database } from '../../store/postgres.ts';
import type { TestPostgres } from './postgres.ts';
import { atScopeEnd } from './scope.ts';

export const testAuditKeys: AuditKeys = [{ id: 'test', key: randomBytes(32) }];

export interface TestAudit extends Pick<Database, 'db'> {
  readonly url: string;
  readonly log: AuditLog;
  /** `seq` and type of each act of a task, in the order in which they happened. */
  story(taskId: string): Promise<readonly string[]>;
}

/** On a database of its own, which closes with the test or file that opened it. */
export async function openAudit(postgres: TestPostgres): Promise<TestAudit> {
  const url = await postgres.emptyDatabase();
  await migrate(url);
  const { db, close } = openDatabase(url);
  atScopeEnd(close);
  return {
    url,
    db,
    log: new AuditLog(db, testAuditKeys),
    async story(taskId) {
      return (await rowsOfTask(db, taskId)).map(({ seq, type }) => `${String(seq)} ${type}`);
    },
  };
}
