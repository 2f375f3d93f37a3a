/** The inbox of a front, with people who stand in for others in a real database. */
import { randomUUID } from 'node:crypto';
import type { NewDelegation } from '../../protocol/delegation.ts';
import { PostgresDelegations } from '../../store/delegations.ts';
import { openAudit, type TestAudit } from './audit.ts';
import { openInboxBench, type InboxBench } from './inbox-bench.ts';
import type { TestPostgres } from './postgres.ts';

export const HOUR_MS = 3_600_000;

export interface DelegationsBench {
  readonly inbox: InboxBench;
  readonly audit: TestAudit;
  readonly delegations: PostgresDelegations;
  /** From an hour ago until in an hour. */
  give(from: string, to: string, more?: Partial<NewDelegation>): Promise<NewDelegation>;
  /** Nobody stands in for anybody, and the list of approvers is that of the bench. */
  reset(): Promise<void>;
}

export async function openDelegationsBench(postgres: TestPostgres): Promise<DelegationsBench> {
  const audit = await openAudit(postgres);
  const delegations = new PostgresDelegations(audit.db);
  const inbox = await openInboxBench({ delegations, audit: audit.log });
  const listed = inbox.approvers;
  await inbox.bench.startWorker();
  return {
    inbox,
    audit,
    delegations,
    async give(from, to, more = {}) {
      const name = inbox.approvers.find(({ subject }) => subject === from)?.name ?? from;
      const delegation = {
        id: randomUUID(),
        from: { issuer: 'local', subject: from, name },
        to,
        fromAt: Date.now() - HOUR_MS,
        untilAt: Date.now() + HOUR_MS,
        ...more,
      };
      await delegations.give(delegation);
      return delegation;
    },
    async reset() {
      inbox.approvers = listed;
      await audit.db.deleteFrom('delegations').execute();
    },
  };
}
