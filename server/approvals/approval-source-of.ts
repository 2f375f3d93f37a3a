/** The approvals that a front shows, as its configuration says. */
import { hasBegun } from '../../protocol/delegation.ts';
import { approvalActsOf } from '../../store/approval-acts.ts';
import { PostgresApprovalChanges } from '../../store/approval-changes.ts';
import { PostgresApprovalQueue } from '../../store/approval-queue.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { PostgresDelegations } from '../../store/delegations.ts';
import type { Store } from '../../store/open-store.ts';
import type { Config } from '../config.ts';
import { readApprovers, type Approver } from '../inbox/approvers.ts';
import { issuerOf } from '../inbox/config.ts';
import { standInsOf } from '../inbox/stand-ins.ts';
import { TemporalApprovalDesk } from '../temporal/temporal-approval-desk.ts';
import type { TemporalService } from '../temporal/temporal-service.ts';
import type { ReadableApprovals } from './approval-source.ts';

export interface ApprovalSourceOptions {
  readonly config: Pick<Config, 'inbox' | 'auditKeys' | 'principalRing'>;
  readonly database: Store | undefined;
  readonly service: TemporalService;
  /** Where this front listens: the inbox is there unless `INBOX_URL` names it. */
  readonly listensAt: () => string;
}

/** `undefined`: without an inbox nobody decides. */
export function approvalSourceOf(options: ApprovalSourceOptions): ReadableApprovals | undefined {
  const { config, database, service, listensAt } = options;
  const { inbox, auditKeys, principalRing } = config;
  if (inbox === undefined) return undefined;
  const delegations = database && new PostgresDelegations(database.db);
  const approvers = (): Promise<readonly Approver[]> => readApprovers(inbox.approversFile);
  const issuer = issuerOf(inbox);
  return {
    desk: new TemporalApprovalDesk(service),
    queue: database && new PostgresApprovalQueue(database.db),
    changes: database && new PostgresApprovalChanges(database.db),
    audit: database && new AuditLog(database.db, auditKeys),
    history: database && { ofTask: (taskId) => approvalActsOf(database.db, taskId) },
    delegations,
    approvers,
    standInsOf: (who) => standInsOf({ delegations, principalRing, approvers }, { ...who, issuer }, Date.now()),
    signedOver: async (who) => {
      const now = Date.now();
      const given = (await delegations?.givenBy({ ...who, issuer }, now)) ?? [];
      return given.filter((delegation) => hasBegun(delegation, now));
    },
    inboxUrl: () => inbox.url ?? new URL(listensAt()),
  };
}
