import { beforeAll, describe, expect, it } from '@jest/globals';
import { rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { taskQuery } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { createLifecycleActivities } from './lifecycle-activities.ts';
import { verifies } from '../support/verifies.ts';

const world = createLifecycleActivities();
let bench: TaskBench;

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./lifecycle-workflows.ts', import.meta.url)), world.activities);
  await bench.startWorker();
});

async function deliver(taskId: string, responses: Record<string, unknown>): Promise<void> {
  await bench.store.deliver(bench.caller, taskId, responses);
}
/** Of Temporal's own Query API and the memo. While a worker decides, the two may be read before and after it. */
async function expectSameAnswer(taskId: string): Promise<void> {
  const handle = bench.service.client.getHandle(bench.workflowId(taskId));
  await eventually(async () => {
    const { memo } = await handle.describe();
    expect(memo?.['task']).toMatchObject({ taskId });
    expect(await handle.query(taskQuery)).toEqual(memo?.['task']);
  });
}

function textOf(task: Awaited<ReturnType<TaskBench['get']>>): string {
  if (task.status !== 'completed') throw new Error(`not completed: ${JSON.stringify(task)}`);
  const [block] = task.result.content;
  return block?.type === 'text' ? block.text : '';
}

describe('input requests', () => {
  it('resume the body with an answer that fits', async () => {
    const taskId = await bench.create('ask_one');
    const asked = await bench.until(taskId, 'input_required');
    await deliver(taskId, { [openKeys(asked)[0] ?? '']: accept({ cost_centre: 'CC-2', reason: 'new team' }) });
    expect(textOf(await bench.until(taskId, 'completed'))).toBe('accepted CC-2');
  });

  it.each([
    ['nothing', null],
    ['a string', 'accept'],
    ['accept without content', { action: 'accept' }],
    ['another value than the choices', accept({ cost_centre: 'cc-1', reason: 'new team' })],
    ['a title for a value', accept({ cost_centre: 'CC-1', reason: 'no' })],
  ])('are asked again under a new key after %s, and say what was wrong', async (_name, answer) => {
    const taskId = await bench.create('ask_one');
    const [first] = openKeys(await bench.until(taskId, 'input_required'));
    await deliver(taskId, { [first ?? '']: answer });
    const again = await bench.until(taskId, 'input_required');
    const [second] = openKeys(again);
    expect(second).toBeDefined();
    expect(second).not.toBe(first);
    expect(again.statusMessage).toMatch(/The last answer could not be used: .+ Which cost centre\?/);
    await bench.store.cancel(bench.caller, taskId, 'end of test');
  });

  it('end in a tool error that names the problem after four misfits', async () => {
    const taskId = await bench.create('ask_one');
    for (let round = 0; round < 4; round += 1) {
      const [key] = openKeys(await bench.until(taskId, 'input_required'));
      await deliver(taskId, { [key ?? '']: accept({ cost_centre: 'CC-9', reason: 'new team' }) });
    }
    const ended = await bench.until(taskId, 'completed');
    expect(ended).toMatchObject({ result: { isError: true } });
    expect(textOf(ended)).toContain('cost_centre must be one of CC-1, CC-2');
  });

  it.each(['decline', 'cancel'])('give the body a %s as it is', async (action) => {
    verifies('elicit.validate');
    const taskId = await bench.create('ask_one');
    const [key] = openKeys(await bench.until(taskId, 'input_required'));
    await deliver(taskId, { [key ?? '']: { action } });
    expect(textOf(await bench.until(taskId, 'completed'))).toBe(action);
  });

  it('are answered one by one, the first answer for a key counting', async () => {
    verifies('update.partial', 'keys.unique');
    const taskId = await bench.create('ask_two');
    const asked = await bench.until(taskId, 'input_required');
    const [size] = openKeys(asked, 'size');
    const [gift] = openKeys(asked, 'gift');
    await deliver(taskId, { [size ?? '']: accept({ size: 3 }), zzz: accept({}) });
    expect(openKeys(await bench.get(taskId))).toEqual([gift]);
    await deliver(taskId, { [size ?? '']: { action: 'decline' }, [gift ?? '']: { action: 'decline' } });
    const ended = await bench.until(taskId, 'completed');
    expect(ended).toMatchObject({ result: { structuredContent: { size: 'accept', gift: 'decline' } } });
  });

  it('are not put to a caller who cannot be asked: the tool error names the arguments', async () => {
    const taskId = await bench.create('ask_one', {}, { features: { elicitationForm: false } });
    const ended = await bench.until(taskId, 'completed');
    expect(ended).toMatchObject({ result: { isError: true } });
    expect(textOf(ended)).toContain('cost_centre, reason');
  });
});

describe('the end of a body', () => {
  it.each([
    ['tool failure', 'The supplier refused the order.'],
    ['activity refusal', 'The vendor is blocked.'],
    ['too large result', 'larger than 600 KB'],
    ['not JSON', '$.structuredContent.mean'],
  ])('%s is completed with isError', async (how, words) => {
    const ended = await bench.until(await bench.create('end_with', { how }), 'completed');
    expect(ended).toMatchObject({ result: { isError: true, resultType: 'complete' } });
    expect(textOf(ended)).toContain(words);
  });

  it('a protocol failure is failed with its error', async () => {
    const ended = await bench.until(await bench.create('end_with', { how: 'protocol failure' }), 'failed');
    expect(ended).toMatchObject({ error: { code: -31555, message: 'No such quota.', data: { quota: 3 } } });
  });

  it('an unforeseen failure is failed with a fixed text that leaks nothing', async () => {
    verifies('tools.validate');
    const taskId = await bench.create('end_with', { how: 'activity crash' });
    const ended = await bench.until(taskId, 'failed');
    expect(ended).toMatchObject({ error: { code: -32603, message: expect.stringContaining(taskId) } });
    expect(JSON.stringify(ended)).not.toMatch(/postgres|internal\//);
  });

  it('a large result arrives whole, from outside the history', async () => {
    const taskId = await bench.create('end_with', { how: 'large result' });
    expect(textOf(await bench.until(taskId, 'completed'))).toHaveLength(200_000);
    const { history } = await bench.service.call((rpc) =>
      rpc.getWorkflowExecutionHistory({
        namespace: bench.service.namespace,
        execution: { workflowId: bench.workflowId(taskId) },
      }),
    );
    const completed = history?.events?.at(-1)?.workflowExecutionCompletedEventAttributes;
    expect(completed?.result?.payloads?.[0]?.data?.length).toBeLessThan(1_000);
  });

  it('a large result that cannot be filed is kept until it can, and its caller reads why it takes so long', async () => {
    const away = `${bench.blobDir}.away`;
    await rename(bench.blobDir, away);
    await writeFile(bench.blobDir, '');
    const taskId = await bench.create('end_with', { how: 'large result' }, { ttlMs: 10_000 });
    const waits = {
      status: 'working',
      statusMessage: expect.stringMatching(/^The result is ready, but its file cannot be stored/),
    };
    await eventually(async () => {
      expect(await bench.get(taskId)).toMatchObject(waits);
    }, 20_000);
    await expectSameAnswer(taskId);
    // What has been finished in time is not lost to a time-out.
    const { createdAt } = await bench.get(taskId);
    await eventually(() => Date.now() > Date.parse(createdAt) + 12_000, 20_000);
    expect(await bench.get(taskId)).toMatchObject(waits);
    await rm(bench.blobDir);
    await rename(away, bench.blobDir);
    expect(textOf(await bench.until(taskId, 'completed'))).toHaveLength(200_000);
  });
});

describe('effects', () => {
  it('in flight at a cancel are learnt first and then undone', async () => {
    const taskId = await bench.create('with_effect', { effectMs: 5_000, restMs: 0 });
    await eventually(() => {
      expect(world.started.has(taskId)).toBe(true);
    });
    await bench.store.cancel(bench.caller, taskId, 'changed my mind');
    expect((await bench.get(taskId)).status).toBe('working');
    await expectSameAnswer(taskId);
    await bench.until(taskId, 'cancelled');
    await expectSameAnswer(taskId);
    expect(world.live.has(taskId)).toBe(false);
  });

  it('that are done are undone when the deadline passes later', async () => {
    const taskId = await bench.create('with_effect', { effectMs: 10, restMs: 30_000 }, { ttlMs: 10_000 });
    await eventually(() => {
      expect(world.live.has(taskId)).toBe(true);
    });
    const ended = await bench.until(taskId, 'failed');
    expect(ended).toMatchObject({ error: { code: -32603, message: expect.stringContaining('expired at') } });
    expect(world.live.has(taskId)).toBe(false);
    await expectSameAnswer(taskId);
  });

  it('that cannot be undone make the task completed, and it says so', async () => {
    const taskId = await bench.create('with_effect', { effectMs: 10, restMs: 30_000, undo: 'refused' });
    await eventually(() => {
      expect(world.live.has(taskId)).toBe(true);
    });
    await bench.store.cancel(bench.caller, taskId, 'too late');
    const ended = await bench.until(taskId, 'completed', 'cancelled');
    expect(textOf(ended)).toContain('could not be undone: It has been shipped already.');
  });
});

describe('time', () => {
  it('moves the deadline with extend, at most to the maximum', async () => {
    const taskId = await bench.create('wait', { ms: 9_000, extendMs: 10 ** 9 }, { ttlMs: 8_000, maxTtlMs: 60_000 });
    await eventually(async () => {
      expect((await bench.get(taskId)).ttlMs).toBe(60_000);
    });
    await bench.until(taskId, 'completed');
  });

  it('says with ttlMs how long an ended task stays readable', async () => {
    const ended = await bench.until(await bench.create('wait', { ms: 1 }), 'completed');
    const livedMs = Date.parse(ended.lastUpdatedAt) - Date.parse(ended.createdAt);
    expect(ended.ttlMs).toBe(livedMs + 24 * 3_600_000);
  });

  it('coalesces reports to at most one write a second', async () => {
    const taskId = await bench.create('report_often', { times: 40 });
    await bench.until(taskId, 'completed');
    const { history } = await bench.service.call((rpc) =>
      rpc.getWorkflowExecutionHistory({
        namespace: bench.service.namespace,
        execution: { workflowId: bench.workflowId(taskId) },
      }),
    );
    const events = history?.events ?? [];
    const writes = events.filter((event) => event.workflowPropertiesModifiedEventAttributes != null);
    const seconds = Number(events.at(-1)?.eventTime?.seconds) - Number(events[0]?.eventTime?.seconds) + 1;
    expect(writes.length).toBeLessThanOrEqual(seconds + 2);
  });

  it('shows what a running activity says of its progress', async () => {
    const taskId = await bench.create('progress');
    await eventually(async () => {
      expect((await bench.get(taskId)).statusMessage).toBe('3 of 10 pages');
    });
    await expectSameAnswer(taskId);
    await bench.store.cancel(bench.caller, taskId, 'end of test');
  });
});

describe('continue-as-new', () => {
  it('keeps id, memo, creation time and questions answered', async () => {
    const taskId = await bench.create('count_runs', { run: 1 }, { summary: 'counted' });
    const asked = await bench.until(taskId, 'input_required');
    const before = await bench.get(taskId);
    const earlier = await bench.service.client.getHandle(bench.workflowId(taskId)).describe();
    await deliver(taskId, { [openKeys(asked)[0] ?? '']: accept({ go: true }) });
    const ended = await bench.until(taskId, 'completed');
    expect(textOf(ended)).toBe('run 3');
    expect(ended.createdAt).toBe(before.createdAt);
    const handle = bench.service.client.getHandle(bench.workflowId(taskId));
    const { memo, runId } = await handle.describe();
    expect(runId).not.toBe(earlier.runId);
    expect(memo?.['call']).toEqual(earlier.memo?.['call']);
    expect(memo?.['task']).toMatchObject({ taskId, createdAt: Date.parse(before.createdAt) });
    await expectSameAnswer(taskId);
  });
});

describe('the task Query', () => {
  it('answers what the memo says, at every step', async () => {
    const taskId = await bench.create('ask_one');
    for (let round = 0; round < 3; round += 1) {
      const asked = await bench.until(taskId, 'input_required');
      await expectSameAnswer(taskId);
      await deliver(taskId, { [openKeys(asked)[0] ?? '']: accept({ cost_centre: 'CC-9', reason: 'new' }) });
    }
    await bench.store.cancel(bench.caller, taskId, 'end of test');
    await bench.until(taskId, 'cancelled');
    await expectSameAnswer(taskId);
    for (const [how, status] of [
      ['large result', 'completed'],
      ['activity crash', 'failed'],
    ] as const) {
      const ended = await bench.create('end_with', { how });
      await bench.until(ended, status);
      await expectSameAnswer(ended);
    }
  });
});
