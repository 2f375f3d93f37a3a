import type { ServiceHealth } from './service-health.ts';

export interface Readiness {
  readonly status: 200 | 503;
  readonly text: string;
}

const CACHE_MS = 5_000;

/** Answers `/readyz`: a load balancer may ask often, the Temporal Service is asked once in five seconds. */
export function createReadiness(health: ServiceHealth, draining: AbortSignal): () => Promise<Readiness> {
  let latest: { at: number; value: Promise<Readiness> } | undefined;
  return async () => {
    if (draining.aborted) return { status: 503, text: 'draining' };
    if (latest === undefined || performance.now() - latest.at >= CACHE_MS) {
      latest = { at: performance.now(), value: ask(health) };
    }
    return latest.value;
  };
}

async function ask(health: ServiceHealth): Promise<Readiness> {
  const [isReachable, hasWorker] = await Promise.all([
    health.isReachable().catch(() => false),
    // Unknown is not worth an alarm of its own: an unreachable service already raises one.
    health.hasWorker().catch(() => true),
  ]);
  if (!isReachable) return { status: 503, text: 'Temporal is unreachable' };
  return { status: 200, text: hasWorker ? 'ok' : 'degraded: no worker' };
}
