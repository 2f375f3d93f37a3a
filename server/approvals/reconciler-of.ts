/** The reconciler of a front, as its backend stands. */
import type { AuditKeys } from '../../protocol/audit-key.ts';
import { PostgresApprovalQueue } from '../../store/approval-queue.ts';
import { signHead } from '../../store/audit-heads.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { tasksEnded } from '../../store/audit-rows.ts';
import type { Store } from '../../store/open-store.ts';
import type { Log } from '../log.ts';
import { TemporalApprovalDesk } from '../temporal/temporal-approval-desk.ts';
import { TemporalTaskSurvey } from '../temporal/temporal-task-survey.ts';
import type { TemporalService } from '../temporal/temporal-service.ts';
import { keepReconciling } from './reconciler.ts';

export interface ReconcilerOptions {
  readonly service: TemporalService;
  readonly database: Store;
  readonly auditKeys: AuditKeys;
  readonly log: Log;
}

/** Runs as long as the service is open. */
export async function startReconciler({ service, database, auditKeys, log }: ReconcilerOptions): Promise<void> {
  const { db, migrated } = database;
  try {
    await migrated;
  } catch {
    // It has been told already, and without the tables there is nothing to do.
    return;
  }
  await keepReconciling({
    survey: new TemporalTaskSurvey(service),
    desk: new TemporalApprovalDesk(service),
    queue: new PostgresApprovalQueue(db),
    audit: new AuditLog(db, auditKeys),
    tasksEnded: (taskIds) => tasksEnded(db, taskIds),
    signHead: () => signHead(db, auditKeys),
    log,
    signal: service.closed,
  });
}
