/**
 * One front server: the MCP server behind its HTTP door. It keeps nothing that another front could not answer from.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gate } from './auth/gate.ts';
import { requestCaller } from './auth/request-caller.ts';
import { BodyBudget } from './body-budget.ts';
import { createClosingHandler } from './closing-handler.ts';
import { createCodecEndpoint } from './codec-endpoint.ts';
import type { Config } from './config.ts';
import { createDirectAnswers } from './direct-answers.ts';
import { createFilesDoor } from './files/files-door.ts';
import { createHttpServer } from './http.ts';
import { httpOrigin } from './http-origin.ts';
import type { InboxDoor } from './inbox/inbox.ts';
import { createLegacyHttp } from './legacy-http.ts';
import { DEFAULT_LIMITS } from './limits/config.ts';
import { createListenDoor, LISTEN_LIMITS, type ListenLimits } from './listen-http.ts';
import { createMcpParts, type ServingConfig, type ServingParts } from './mcp-parts.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import type { Metrics } from './metrics.ts';
import { onceGone } from './once-gone.ts';
import { createOpenStreams } from './open-streams.ts';
import { createReadiness } from './readiness.ts';
import type { Uploads } from '../store/uploads.ts';

export interface FrontParts extends ServingParts {
  readonly gate: Gate;
  readonly config: FrontConfig;
  /** Absent: people do not decide here. */
  readonly inbox?: InboxDoor | undefined;
  /** Absent: nothing is uploaded here. */
  readonly uploads?: Uploads | undefined;
}

export type FrontConfig = ServingConfig &
  Pick<Config, 'host' | 'port' | 'allowedHosts' | 'allowedOrigins'> &
  Partial<Pick<Config, 'encryption'>> & {
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
  readonly metrics: Metrics;
  /** Ends held calls with what is known, then all connections; within `drainMs` and a little. Twice is once. */
  drain(): Promise<void>;
}

const STREAMS_MS = 500;

export function createFront(parts: FrontParts): Front {
  const { config, health, log, gate } = parts;
  const drainControl = new AbortController();
  const draining = drainControl.signal;
  const mcp = createMcpParts(parts, draining);
  const { contracts, metrics } = mcp;
  const serving = new Set<ServerResponse>();
  const keepAliveMs = config.keepAliveMs ?? 15_000;
  const handler = createClosingHandler(
    createMcpHandler(createMcpServerFactory(mcp, requestCaller), {
      keepAliveMs,
      onerror: (error) => log.debug({ err: error }, 'request refused'),
    }),
  );
  const limitsConfig = { ...DEFAULT_LIMITS, ...config.limits };
  const { streams: streamsPerCaller, bodyBytesAtOnce } = limitsConfig;
  const listenLimits = { ...LISTEN_LIMITS, streamsPerCaller, ...config.listenLimits };
  const streams = createOpenStreams(listenLimits, metrics);
  const bodies = new BodyBudget(bodyBytesAtOnce, () => metrics.countRefusal('body_bytes'));
  const direct = createDirectAnswers({ ...mcp, handler });
  const server = createHttpServer({
    gate,
    handler,
    direct,
    listening: createListenDoor({ ...mcp, streams, pace: listenLimits }),
    legacy: createLegacyHttp({ ...mcp, streams }),
    codec: config.encryption && createCodecEndpoint(config.encryption, bodies, log),
    inbox: parts.inbox,
    files: parts.uploads && createFilesDoor({ ...mcp, gate, limitsConfig, uploads: parts.uploads, log }),
    contracts,
    limits: mcp.limits,
    bodies,
    metrics,
    readiness: createReadiness(health, draining),
    log,
    keepAliveMs,
    peers: config,
    readTimeoutMs: config.readTimeoutMs ?? 30_000,
    onRequest(response) {
      serving.add(response);
      if (draining.aborted) response.shouldKeepAlive = false;
      onceGone(response, () => serving.delete(response));
    },
    draining,
    onSubscription: (response) => serving.delete(response),
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
    direct.close();
    await handler.close();
    server.closeIdleConnections();
    await Promise.race([closed, delay(STREAMS_MS, undefined, { ref: false })]);
    server.closeAllConnections();
    await closed;
  }

  let url = '';
  let drained: Promise<void> | undefined;
  return {
    metrics,
    get url() {
      return url;
    },
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.port, config.host, resolve);
      });
      const { port } = server.address() as AddressInfo;
      url = `${httpOrigin({ host: config.host, port })}/mcp`;
      return url;
    },
    drain: () => (drained ??= drain()),
  };
}

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => onceGone(response, resolve));
}
