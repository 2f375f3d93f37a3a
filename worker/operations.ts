/** `/healthz`, `/readyz` and `/metrics` of a worker. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from '@temporalio/worker';
import type { Registry } from 'prom-client';

interface Operations {
  readonly worker: Pick<Worker, 'getState'>;
  readonly isTemporalReachable: () => Promise<boolean>;
  readonly registry: Registry;
  /** Where Temporal's core serves its own metrics, of failing workflow tasks among others. */
  readonly coreMetricsUrl: string;
  readonly host: string;
  readonly port: number;
}

const CORE_TIMEOUT_MS = 2_000;

/** Resolves when it listens. */
export async function serveOperations(operations: Operations): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void answer(operations, request.url ?? '/').then(({ status, body, type = 'text/plain' }) => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body);
    });
  });
  await listen(server, operations);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${operations.host}:${String(port)}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Page {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

async function answer(operations: Operations, path: string): Promise<Page> {
  const { registry, coreMetricsUrl } = operations;
  switch (path) {
    case '/healthz':
      return { status: 200, body: 'ok\n' };
    case '/readyz':
      return readiness(operations);
    case '/metrics':
      return {
        status: 200,
        type: 'text/plain; version=0.0.4',
        body: (await registry.metrics()) + (await coreMetrics(coreMetricsUrl)),
      };
    default:
      return { status: 404, body: 'not found\n' };
  }
}

async function readiness({ worker, isTemporalReachable }: Operations): Promise<Page> {
  const state = worker.getState();
  if (state !== 'RUNNING') return { status: 503, body: `${state.toLowerCase()}\n` };
  return (await isTemporalReachable())
    ? { status: 200, body: 'ok\n' }
    : { status: 503, body: 'Temporal is unreachable\n' };
}

async function coreMetrics(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CORE_TIMEOUT_MS) });
    return `\n${await response.text()}`;
  } catch {
    return '\n# the metrics of the Temporal core are out of reach\n';
  }
}

function listen(server: Server, { host, port }: Operations): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
