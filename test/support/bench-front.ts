/** A front server with a catalog of the test's own, over real HTTP, on the task store of a bench. */
import { openGate, type Gate } from '../../server/auth/gate.ts';
import { createFront, type FrontConfig } from '../../server/front.ts';
import { createLog } from '../../server/log.ts';
import type { Catalog } from '../../workflows/tool.ts';
import { atScopeEnd } from './scope.ts';
import type { TaskBench } from './task-bench.ts';

export interface BenchFront {
  readonly url: string;
  drain(): Promise<void>;
}

/** All fronts of a test process share one secret, as the fronts of one product do. It ends with the test or file. */
export async function startBenchFront(
  { store, service, blobs, caller }: TaskBench,
  catalog: Catalog,
  config: Partial<FrontConfig> = {},
  gate: Gate = openGate(caller),
): Promise<BenchFront> {
  const front = createFront({
    config: {
      host: '127.0.0.1',
      port: 0,
      principalRing: [Buffer.alloc(32, 9)],
      syncBudgetMs: 2_000,
      fallbackBudgetMs: 20_000,
      drainMs: 2_000,
      allowedHosts: [],
      allowedOrigins: [],
      ...config,
    },
    catalog,
    store,
    health: service,
    blobs,
    log: createLog('silent'),
    gate,
  });
  const url = await front.listen();
  atScopeEnd(() => front.drain());
  return { url, drain: () => front.drain() };
}
