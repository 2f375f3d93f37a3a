/** A client over stdio that does not read, or reads slowly. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { CALLER } from '../../support/test-front.ts';
import { startTestStdio } from '../../support/test-stdio.ts';

const LISTED = { method: 'tools/list', params: {} } as const;
const MANY = 500;

describe('a client over stdio that does not read', () => {
  it('is waited for: no more is taken of what it sends, and little is kept for it', async () => {
    const stdio = startTestStdio({ drainMs: 100 });
    for (let count = 0; count < MANY; count += 1) stdio.send(LISTED.method, LISTED.params);
    for (let count = 0; count < MANY; count += 1) stdio.write(`{bad${'x'.repeat(100)}`);
    await eventually(() => stdio.output.writableNeedDrain && stdio.input.writableNeedDrain);
    expect(stdio.output.writableLength + stdio.output.readableLength).toBeLessThan(256 * 1_024);
    // It reads at last, and nothing is lost.
    await eventually(() => stdio.frames().length === 2 * MANY, 20_000);
  }, 120_000);

  it('is cut off after a while: its subscription is over, the task goes on', async () => {
    const stdio = startTestStdio({ drainMs: 100 }, undefined, { caller: CALLER, blockedMs: 500 });
    const { task } = await stdio.store.create(CALLER, {
      tool: 'order',
      args: {},
      features: { elicitationForm: false },
      ttlMs: 60_000,
      maxTtlMs: 60_000,
      pollIntervalMs: 1_000,
    });
    const { taskId } = task;
    stdio.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await eventually(() => stdio.store.watcherCount === 1);
    for (let count = 0; count < 400; count += 1) {
      stdio.store.report(taskId, `${String(count)} `.repeat(10_000));
      await new Promise(setImmediate);
    }
    expect(stdio.output.writableLength + stdio.output.readableLength).toBeLessThan(256 * 1_024);
    await stdio.server.ended;
    await eventually(() => stdio.store.watcherCount === 0);
    expect((await stdio.store.get(CALLER, taskId)).status).toBe('working');
  });
});
