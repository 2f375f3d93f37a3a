/**
 * One front server: the MCP server behind its HTTP door. It keeps nothing that another front could not answer from.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config.ts';
import { createHttpServer } from './http.ts';
import { createListenDoor, LISTEN_LIMITS, type ListenLimits } from './listen-http.ts';
import { createMcpParts, type ServingConfig, type ServingParts } from './mcp-parts.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import { createReadiness } from './readiness.ts';

export interface FrontParts extends ServingParts {
  readonly config: FrontConfig;
}

export type FrontConfig = ServingConfig &
  Pick<Config, 'host' | 'port' | 'allowedHosts' | 'allowedOrigins'> & {
    /** After this long without a byte, a held answer becomes a stream that is kept alive. Default 15,000. */
    readonly keepAliveMs?: number;
    /** How long a client may take to send its request. Default 30,000. */
    readonly readTimeoutMs?: number;
    readonly listenLimits?: Partial<ListenLimits>;
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

export function createFront(parts: FrontParts): Front {
  const { config, store, health, log, caller } = parts;
  const drainControl = new AbortController();
  const draining = drainControl.signal;
  const mcp = createMcpParts(parts, draining);
  const { contracts, metrics } = mcp;
  const serving = new Set<ServerResponse>();
  const keepAliveMs = config.keepAliveMs ?? 15_000;
  const handler = createMcpHandler(createMcpServerFactory(mcp), {
    keepAliveMs,
    onerror: (error) => log.debug({ err: error }, 'request refused'),
  });
  const limits = { ...LISTEN_LIMITS, ...config.listenLimits };
  const server = createHttpServer({
    handler,
    listening: createListenDoor({ store, draining, caller, log, metrics, limits }),
    contracts,
    metrics,
    readiness: createReadiness(health, draining),
    log,
    keepAliveMs,
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
    const untilMs = performance.now() + config.drainMs;
    for (let leftMs = config.drainMs; serving.size > 0 && leftMs > 0; leftMs = untilMs - performance.now()) {
      await Promise.race([Promise.all([...serving].map(ended)), delay(leftMs, undefined, { ref: false })]);
    }
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
