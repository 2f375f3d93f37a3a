/**
 * One front server: the MCP server behind its HTTP door. It keeps nothing that another front could not answer from.
 */
import { setMaxListeners } from 'node:events';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobStore } from '../store/blobs.ts';
import type { Catalog } from '../workflows/tool.ts';
import type { Caller } from './caller.ts';
import type { Config } from './config.ts';
import { createHttpServer } from './http.ts';
import type { Log } from './log.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import type { ServiceHealth } from './service-health.ts';
import type { TaskStore } from './task-store.ts';
import { createToolContracts } from './tool-contract.ts';

export interface FrontParts {
  readonly config: FrontConfig;
  readonly catalog: Catalog;
  readonly store: TaskStore;
  readonly health: ServiceHealth;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly caller: Caller;
}

export type FrontConfig = Pick<
  Config,
  'host' | 'port' | 'syncBudgetMs' | 'fallbackBudgetMs' | 'drainMs' | 'allowedHosts' | 'allowedOrigins'
> & {
  /** How long a client may take to send its request. Default 30,000. */
  readonly readTimeoutMs?: number;
};

export interface Front {
  /** Resolves with the MCP URL. @throws when the port is taken */
  listen(): Promise<string>;
  /** The MCP URL, once it listens. */
  readonly url: string;
  /** Ends held calls with what is known, then all connections; within `drainMs` and a little. Twice is once. */
  drain(): Promise<void>;
}

const STREAMS_MS = 500;

export function createFront({ config, catalog, store, health, blobs, log, caller }: FrontParts): Front {
  const drainControl = new AbortController();
  const draining = drainControl.signal;
  // One listener for each waiting call, and any number of calls may wait.
  setMaxListeners(0, draining);
  const contracts = createToolContracts(catalog);
  const metrics = createMetrics([...catalog.keys()], health);
  const serving = new Set<ServerResponse>();
  const factory = createMcpServerFactory({ contracts, store, caller, budgets: config, blobs, log, metrics, draining });
  const handler = createMcpHandler(factory, {
    onerror: (error) => log.debug({ err: error }, 'request refused'),
  });
  const server = createHttpServer({
    handler,
    contracts,
    metrics,
    readiness: createReadiness(health, draining),
    log,
    peers: config,
    readTimeoutMs: config.readTimeoutMs ?? 30_000,
    onServing(response) {
      serving.add(response);
      if (draining.aborted) response.shouldKeepAlive = false;
      response.once('close', () => serving.delete(response));
    },
  });

  async function drain(): Promise<void> {
    drainControl.abort();
    for (const response of serving) response.shouldKeepAlive = false;
    // It still listens, so that whoever asks /readyz meanwhile learns to send nothing more here.
    await Promise.race([Promise.all([...serving].map(ended)), delay(config.drainMs, undefined, { ref: false })]);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await handler.close();
    server.closeIdleConnections();
    await Promise.race([closed, delay(STREAMS_MS, undefined, { ref: false })]);
    server.closeAllConnections();
    await closed;
  }

  let url = '';
  let drained: Promise<void> | undefined;
  return {
    get url() {
      return url;
    },
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.port, config.host, resolve);
      });
      const { port } = server.address() as AddressInfo;
      const host = config.host.includes(':') ? `[${config.host}]` : config.host;
      url = `http://${host}:${String(port)}/mcp`;
      return url;
    },
    drain: () => (drained ??= drain()),
  };
}

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', () => resolve());
  });
}
