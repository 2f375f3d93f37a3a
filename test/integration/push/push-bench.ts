/** The tools for listeners on a real Temporal, behind as many fronts as a test likes. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../protocol/task.ts';
import { openGate } from '../../../server/auth/gate.ts';
import { createFront, type Front } from '../../../server/front.ts';
import { createLog } from '../../../server/log.ts';
import { post } from '../../support/mcp-request.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { accept, openTaskBench, type TaskBench } from '../../support/task-bench.ts';
import { catalog } from './push-tools.ts';
import { pushActivities } from './push-activities.ts';

export interface PushBench extends TaskBench {
  /** On a store of its own, as another process would have it. */
  startFront(): Promise<Front>;
  /** `tasks/update` through the front at `url`; resolves when it is acknowledged. */
  accept(url: string, taskId: string, keys: readonly string[], content?: JsonObject): Promise<void>;
}

export async function openPushBench(address?: string): Promise<PushBench> {
  const path = fileURLToPath(new URL('./push-workflows.ts', import.meta.url));
  const bench = await openTaskBench(path, pushActivities, address);
  return {
    ...bench,
    async startFront() {
      const { blobs, caller } = bench;
      const front = createFront({
        config: {
          host: '127.0.0.1',
          port: 0,
          syncBudgetMs: 0,
          fallbackBudgetMs: 1_000,
          drainMs: 2_000,
          allowedHosts: [],
          allowedOrigins: [],
          principalRing: [randomBytes(32)],
        },
        catalog,
        store: bench.secondStore(),
        health: bench.service,
        blobs,
        log: createLog('silent'),
        gate: openGate(caller),
      });
      await front.listen();
      atScopeEnd(() => front.drain());
      return front;
    },
    async accept(url, taskId, keys, content = { ok: true }) {
      const inputResponses = Object.fromEntries(keys.map((key) => [key, accept(content)]));
      const { body } = await post(url, { method: 'tasks/update', params: { taskId, inputResponses } });
      if (body.error !== undefined) throw new Error(body.error.message);
    },
  };
}
