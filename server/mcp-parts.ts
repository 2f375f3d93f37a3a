import { setMaxListeners } from 'node:events';
import type { BlobStore } from '../store/blobs.ts';
import type { Catalog } from '../workflows/tool.ts';
import type { AuditTrail } from './approvals/audit-trail.ts';
import type { ReadableApprovals } from './approvals/approval-source.ts';
import { createReadTeller } from './approvals/told-results.ts';
import type { Config } from './config.ts';
import { createHttpQuestions } from './http-questions.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import type { LimitsConfig } from './limits/config.ts';
import type { LimitsDatabase } from './limits/shared-counter.ts';
import type { Log } from './log.ts';
import type { SharedParts } from './mcp-server.ts';
import { createMetrics } from './metrics.ts';
import { createRequestStates } from './request-state.ts';
import type { ResourceSource } from './resource-source.ts';
import { createSealing } from './sealing.ts';
import type { ServiceHealth } from './service-health.ts';
import { createSessionIds } from './session-ids.ts';
import type { TaskStore } from './task-store.ts';
import { createToolContracts } from './tool-contract.ts';

/** What a front server is made of, whatever its door. */
export interface ServingParts {
  readonly config: ServingConfig;
  readonly catalog: Catalog;
  readonly store: TaskStore;
  readonly health: ServiceHealth;
  readonly blobs: BlobStore;
  readonly log: Log;
  /** What it offers to every caller beside the files of their tasks. Default: nothing. */
  readonly resourceSource?: ResourceSource;
  /** In which fronts count together what a caller asks for. Default: each counts for itself. */
  readonly database?: LimitsDatabase | undefined;
  /** Absent without a database. */
  readonly audit?: AuditTrail | undefined;
  /** Absent: nobody is asked to decide here. */
  readonly approvals?: ReadableApprovals | undefined;
}

export type ServingConfig = Pick<Config, 'principalRing' | 'syncBudgetMs' | 'fallbackBudgetMs' | 'drainMs'> & {
  /** How long a client may take to come back with the answers it was asked for. Default 15 minutes. */
  readonly requestStateTtlMs?: number;
  /** How often a held call reports progress. Default 5,000. */
  readonly progressIntervalMs?: number;
  readonly limits?: Partial<LimitsConfig>;
};

export interface DoorParts extends SharedParts {
  readonly limits: Limits;
}

export function createMcpParts(serving: ServingParts, draining: AbortSignal): DoorParts {
  const { config, catalog, health, database, ...shared } = serving;
  // One listener for each waiting call, and any number of calls may wait.
  setMaxListeners(0, draining);
  const contracts = createToolContracts(catalog);
  const requestStates = createRequestStates(config.principalRing, config.requestStateTtlMs);
  const metrics = createMetrics([...catalog.keys()], health);
  return {
    ...shared,
    contracts,
    limits: createLimits({ config: config.limits, contracts, requestStates, store: shared.store, database, metrics }),
    budgets: config,
    requestStates,
    cursors: createSealing(config.principalRing, 'cursor'),
    tellRead: createReadTeller(shared.audit, shared.log),
    sessionIds: createSessionIds(config.principalRing),
    questions: createHttpQuestions(config.principalRing),
    metrics,
    draining,
  };
}
