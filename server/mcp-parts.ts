import { setMaxListeners } from 'node:events';
import type { BlobStore } from '../store/blobs.ts';
import type { Catalog } from '../workflows/tool.ts';
import type { Caller } from './caller.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { McpServerParts } from './mcp-server.ts';
import { createMetrics } from './metrics.ts';
import { createRequestStates } from './request-state.ts';
import type { ResourceSource } from './resource-source.ts';
import { createSealing } from './sealing.ts';
import type { ServiceHealth } from './service-health.ts';
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
  readonly caller: Caller;
  /** What it offers to every caller beside the files of their tasks. Default: nothing. */
  readonly resourceSource?: ResourceSource;
}

export type ServingConfig = Pick<Config, 'principalKey' | 'syncBudgetMs' | 'fallbackBudgetMs' | 'drainMs'> & {
  /** How long a client may take to come back with the answers it was asked for. Default 15 minutes. */
  readonly requestStateTtlMs?: number;
  /** How often a held call reports progress. Default 5,000. */
  readonly progressIntervalMs?: number;
};

export function createMcpParts(serving: ServingParts, draining: AbortSignal): McpServerParts {
  const { config, catalog, health, ...shared } = serving;
  // One listener for each waiting call, and any number of calls may wait.
  setMaxListeners(0, draining);
  return {
    ...shared,
    contracts: createToolContracts(catalog),
    budgets: config,
    requestStates: createRequestStates(config.principalKey, config.requestStateTtlMs),
    cursors: createSealing(config.principalKey, 'cursor'),
    metrics: createMetrics([...catalog.keys()], health),
    draining,
  };
}
