import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ToolTaskInput } from '../../workflows/contract.ts';
import { startTracked } from '../support/processes.ts';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestWorker, openTemporal, type TestTemporal } from '../support/temporal.ts';

const input: ToolTaskInput = {
  seed: { taskId: 'support', createdAt: Date.now(), ttlMs: 60_000, pollIntervalMs: 1_000 },
  args: { seconds: 0, label: 'support' },
  caller: 'support',
  features: { elicitationForm: false },
  maxTtlMs: 60_000,
};

async function runFixture({ client, taskQueue }: TestTemporal, workflowId: string): Promise<unknown> {
  const options = { taskQueue, workflowId, args: [input], workflowExecutionTimeout: '20s' as const };
  return client.workflow.execute('slow_compute', options);
}

describe('createTestWorker', () => {
  it('runs a catalog on a task queue of its own', async () => {
    const temporal = await openTemporal();
    await createTestWorker({ catalog: 'fixtures', taskQueue: temporal.taskQueue });
    await expect(runFixture(temporal, `support-${temporal.taskQueue}`)).resolves.toMatchObject({
      result: { content: [{ text: 'support: computed for 0 s' }] },
    });
  });
});

describe('startOwnTemporal', () => {
  it('keeps what it had when it is killed and restarted on its database file', async () => {
    const server = await startOwnTemporal({ databaseFile: join(await temporaryFolder(), 'temporal.db') });
    const before = await openTemporal(server.address);
    await before.client.workflow.start('slow_compute', {
      taskQueue: before.taskQueue,
      workflowId: 'kept',
      args: [input],
    });
    await server.kill9();
    await server.restart();
    const after = await openTemporal(server.address);
    const { status } = await after.client.workflow.getHandle('kept').describe();
    expect(status.name).toBe('RUNNING');
  }, 60_000);

  it('keeps results for as long as the product promises', async () => {
    const { connection } = (await openTemporal()).client;
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(7 * 24 * 3600);
  });
});

describe('startTracked', () => {
  const script = (code: string) => ({ name: 'script', command: process.execPath, args: ['--eval', code] });

  it('says what a process printed when it ends before it is ready', async () => {
    const started = startTracked({ ...script('console.error("no port"); process.exit(3)'), isReady: () => false });
    await expect(started).rejects.toThrow(/ended before it was ready[^]*no port/);
  });

  it('says so when a process is not ready in time', async () => {
    const started = startTracked({ ...script('setInterval(() => {}, 1e6)'), isReady: () => false, readyWithinMs: 200 });
    await expect(started).rejects.toThrow(/was not ready in time/);
  });

  it('ends a process that is stopped or deaf to SIGTERM', async () => {
    const code = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1e6)';
    const child = await startTracked({ ...script(code), isReady: ({ output }) => output().includes('up') });
    child.signal('SIGSTOP');
    await expect(child.end(300)).resolves.toMatchObject({ signal: 'SIGKILL' });
    expect(child.isRunning()).toBe(false);
  });
});
