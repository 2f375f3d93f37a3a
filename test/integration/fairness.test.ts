/**
 * A tenant with many tasks waiting keeps no other tenant waiting. Told by the order in which tasks begin, not by time: all
 * of them are there before the first worker is.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../../server/caller.ts';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { testCaller } from '../support/test-caller.ts';

const NOISY_TASKS = 500;
/** Of the noisy tenant, begun before the other tenant's: what workers had in hand, and its turns in between. */
const BEFORE_QUIET = NOISY_TASKS / 2;

let bench: TaskBench;
let begun: string[];

beforeAll(async () => {
  begun = [];
  const path = fileURLToPath(new URL('./fairness-workflows.ts', import.meta.url));
  bench = await openTaskBench(path, { begin: async (who: string) => void begun.push(who) });
}, 60_000);

async function create(caller: Caller, who: string): Promise<void> {
  const sizes = { ttlMs: 120_000, maxTtlMs: 240_000, pollIntervalMs: 1_000 };
  await bench.store.create(caller, { tool: 'begin', args: { who }, features: { elicitationForm: false }, ...sizes });
}

describe('tasks that wait for a worker', () => {
  it('begin in turn by tenant, not in the order in which they came', async () => {
    // Two people of one organisation are one tenant.
    const tenant = randomBytes(16).toString('hex');
    const noisy = ['ada', 'bob'].map(() => ({ ...testCaller(randomBytes(16).toString('hex')), tenant }));
    const quiet = testCaller(randomBytes(16).toString('hex'));
    for (let made = 0; made < NOISY_TASKS; made += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => create(noisy[index % 2]!, 'noisy')));
    }
    await create(quiet, 'quiet');
    await bench.startWorker();
    await eventually(() => begun.includes('quiet'), 60_000);
    expect(begun.indexOf('quiet')).toBeLessThan(BEFORE_QUIET);
    // Nobody is starved for it.
    await eventually(() => begun.length === NOISY_TASKS + 1, 90_000);
  }, 180_000);
});
