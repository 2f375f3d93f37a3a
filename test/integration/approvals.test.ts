import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { decide, decisionOn, person, REJECTION, waitForApproval } from '../support/approver.ts';
import { signed } from '../support/decisions.ts';
import { eventually } from '../support/eventually.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import type { JsonObject } from '../../protocol/task.ts';

let bench: TaskBench;
let desk: TemporalApprovalDesk;

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./approval-workflows.ts', import.meta.url)), {});
  desk = new TemporalApprovalDesk(bench.service);
  await bench.startWorker();
});

async function open(args: JsonObject = {}): Promise<{ taskId: string; found: ApprovalCase }> {
  const taskId = await bench.create('approve', args);
  return { taskId, found: await waitForApproval(desk, bench.workflowId(taskId)) };
}

async function resultOf(taskId: string): Promise<unknown> {
  const ended = await bench.until(taskId, 'completed');
  return ended.status === 'completed' ? ended.result.structuredContent : undefined;
}

describe('an approval', () => {
  it('keeps the task working, and says who is waited for', async () => {
    const { taskId, found } = await open({ quorum: 2 });
    const task = await bench.get(taskId);
    expect(task.status).toBe('working');
    expect(task.statusMessage).toMatch(/^Waiting for finance, due \d{4}-\d\d-\d\d \d\d:\d\d UTC, 0 of 2$/);
    expect(await decide(desk, found, decisionOn(found, 'one'))).toEqual({ counted: true, votes: 1, quorum: 2 });
    await eventually(async () => (await bench.get(taskId)).statusMessage?.endsWith('1 of 2') === true);
    await decide(desk, found, decisionOn(found, 'two'));
    expect(await resultOf(taskId)).toEqual({ result: 'approved', by: ['one', 'two'] });
  });

  it('is rejected by one, with the reason and which no it is', async () => {
    const { taskId, found } = await open({ quorum: 2 });
    await decide(desk, found, decisionOn(found, 'one'));
    await decide(desk, found, decisionOn(found, 'two', REJECTION));
    expect(await resultOf(taskId)).toEqual({ result: 'rejected', by: ['one', 'two'], option: 'not_needed' });
  });

  it('tells whoever comes late by whom it was decided, also when the task is over', async () => {
    const { taskId, found } = await open();
    const late = decisionOn(found, 'late');
    await decide(desk, found, decisionOn(found, 'first'));
    await resultOf(taskId);
    expect(await decide(desk, found, late)).toMatchObject({
      counted: false,
      refusal: { code: 'decided', decided: { result: 'approved', by: ['first'] } },
    });
  });

  it('takes the same decision once, however often it is sent', async () => {
    const { found } = await open({ quorum: 2 });
    const decision = decisionOn(found, 'one');
    const answers = await Promise.all([1, 2, 3].map(() => decide(desk, found, decision)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await desk.read(found.workflowId))?.open[0]?.votes).toHaveLength(1);
  });

  it('expires, and says so', async () => {
    const { taskId } = await open({ withinMs: 1_500 });
    expect(await resultOf(taskId)).toEqual({ result: 'expired', by: [] });
  });

  it('counts as rejected when the tool says so, and by nobody, whoever has approved before', async () => {
    const { taskId, found } = await open({ quorum: 2, withinMs: 8_000, onExpiry: 'rejected' });
    await decide(desk, found, decisionOn(found, 'one'));
    expect(await resultOf(taskId)).toEqual({ result: 'rejected', by: ['one'] });
    expect(await decide(desk, found, decisionOn(found, 'late'))).toMatchObject({
      refusal: { code: 'decided', decided: { result: 'rejected', by: [] } },
    });
  });

  it('asks more people when it takes long', async () => {
    const { taskId, found } = await open({ escalateAfterMs: 6_000 });
    expect(await decide(desk, found, decisionOn(found, 'b', { roles: ['board'] }))).toMatchObject({
      refusal: { code: 'not_asked' },
    });
    const wider = await eventually(async () => {
      const again = await desk.read(found.workflowId);
      return again?.open[0]?.roles.includes('board') === true && again;
    }, 10_000);
    await decide(desk, wider, decisionOn(wider, 'b', { roles: ['board'] }));
    expect(await resultOf(taskId)).toEqual({ result: 'approved', by: ['b'] });
  });

  it('is withdrawn when the requester cancels', async () => {
    const { taskId, found } = await open();
    await bench.store.cancel(bench.caller, taskId, 'changed my mind');
    await bench.until(taskId, 'cancelled');
    expect(await decide(desk, found, decisionOn(found, 'late'))).toMatchObject({
      refusal: { code: 'decided', decided: { result: 'withdrawn', by: [] } },
    });
  });
});

describe('nobody else decides', () => {
  const requester = (): { principals: string[] } => ({ principals: ['another hash', bench.caller.principal] });

  it.each([
    ['own', 'the requester', () => ({ person: { ...person('me'), ...requester() } })],
    ['own', 'for the requester', () => ({ onBehalfOf: { ...person('me'), ...requester(), roles: ['finance'] } })],
    ['not_asked', 'somebody with another role', () => ({ roles: ['purchasing'] })],
    ['not_asked', 'for somebody with another role', () => ({ onBehalfOf: { ...person('b'), roles: ['it'] } })],
    ['not_offered', 'a no without a reason', () => ({ ...REJECTION, reason: '  ' })],
    ['not_offered', 'a no that is not offered', () => ({ ...REJECTION, option: 'bored' })],
    ['not_offered', 'an answer that is not offered', () => ({ choice: 'maybe' as 'approve' })],
    ['unknown', 'of another task', () => ({ taskId: 'another' })],
    ['unknown', 'of another approval', () => ({ approvalId: 'another' })],
    ['changed', 'of other content', () => ({ digest: 'f'.repeat(64) })],
  ])('%s: %s', async (code, _who, more) => {
    const { taskId, found } = await open();
    expect(await decide(desk, found, decisionOn(found, 'one', more()))).toMatchObject({
      counted: false,
      refusal: { code },
    });
    expect((await bench.get(taskId)).status).toBe('working');
    expect((await desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
  });

  it('a person who has voted, nor their delegate', async () => {
    const { found } = await open({ quorum: 3 });
    await decide(desk, found, decisionOn(found, 'one'));
    for (const more of [{}, { person: person('two'), onBehalfOf: { ...person('one'), roles: ['finance'] } }]) {
      expect(await decide(desk, found, decisionOn(found, 'one', more))).toMatchObject({ refusal: { code: 'voted' } });
    }
  });

  it('whoever writes to Temporal without the key of the fronts', async () => {
    const { found } = await open();
    const genuine = signed(decisionOn(found, 'one'));
    const forged = [
      { ...genuine, signature: 'ab'.repeat(32) },
      { ...genuine, signature: '' },
      { ...genuine, decision: { ...genuine.decision, person: person('two'), updateId: 'forged' } },
      { ...genuine, decision: { ...genuine.decision, roles: ['finance', 'board'], updateId: 'forged too' } },
    ];
    for (const [index, each] of forged.entries()) {
      const sent = { ...each, decision: { ...each.decision, updateId: `forged ${String(index)}` } };
      expect(await desk.decide(found.workflowId, sent)).toMatchObject({ refusal: { code: 'unsigned' } });
    }
    expect((await desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
  });
});
