/**
 * C14: partial, parallel and misaddressed answers. Each answer counts for its own key and once; the task goes on when it
 * has them all.
 *
 * The same without processes: test/unit/server/task-updates.test.ts and test/integration/lifecycle.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask, JsonObject } from '../../../protocol/task.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';

const ENDS_WITHIN_MS = 20_000;
/** As long as a reader asks a worker that is deciding. */
const ASKS_WORKER_MS = 300;
const PARALLEL_ROUNDS = 30;
const yes = (value: boolean): JsonObject => ({ action: 'accept', content: { yes: value } });
const DECLINE = { action: 'decline' };

let server: CaseServer;
let front: RoleProcess;
let here: TaskClient;
/** The other front of the same caller. */
let there: TaskClient;

beforeAll(async () => {
  server = await openCaseServer();
  const [first, second] = await Promise.all([server.startFront(), server.startFront(), server.startWorker()]);
  front = first;
  here = createTaskClient(first.url);
  there = here.over(second.url);
}, 60_000);

interface Asked {
  readonly taskId: string;
  readonly a: string;
  readonly b: string;
}

async function askedTwice(): Promise<Asked> {
  const taskId = await here.create('ask_two', {});
  const keys = await openKeys(taskId, here);
  const named = (name: string): string => keys.find((key) => key.startsWith(`${name}-`)) ?? '';
  expect(keys).toHaveLength(2);
  return { taskId, a: named('a'), b: named('b') };
}

async function openKeys(taskId: string, by: TaskClient): Promise<readonly string[]> {
  return Object.keys(questionsOf(await by.until(taskId, ['input_required'], ENDS_WITHIN_MS)));
}

/** What the body made of both answers; it went on once. */
async function end(taskId: string): Promise<string> {
  const ended = await here.until(taskId, ['completed', 'failed', 'cancelled'], ENDS_WITHIN_MS);
  expect(await there.get(taskId)).toEqual(ended);
  expect(await server.ledgerOf(taskId)).toEqual(['resumed']);
  return textOf(resultOf(ended));
}

/** Until a worker has decided, a read has the time of the answer itself. */
function lasting({ lastUpdatedAt: _, ...task }: DetailedTask): object {
  return task;
}

function update(taskId: string, inputResponses: unknown): Promise<McpAnswer> {
  return post(`${front.url}/mcp`, { method: 'tasks/update', params: { taskId, inputResponses } });
}

describe('answers one after the other', () => {
  it('count for their own keys: one leaves the other open, a second answer to the first key is ignored', async () => {
    const { taskId, a, b } = await askedTwice();
    await here.answer(taskId, { [a]: yes(true) });
    for (const by of [here, there]) {
      const seen = await by.get(taskId);
      expect([seen.status, Object.keys(questionsOf(seen))]).toEqual(['input_required', [b]]);
    }
    const before = await there.get(taskId);
    await there.answer(taskId, { zzz: yes(true), [`b-${a.slice(2)}`]: yes(true) });
    for (const by of [here, there]) expect(lasting(await by.get(taskId))).toEqual(lasting(before));
    await there.answer(taskId, { [a]: DECLINE, [b]: yes(false) });
    expect(await end(taskId)).toBe('a: accept true, b: accept false');
  });

  it('are acknowledged when the task is over, and change nothing', async () => {
    const { taskId, a, b } = await askedTwice();
    await here.answer(taskId, { [a]: DECLINE, [b]: DECLINE });
    expect(await end(taskId)).toBe('a: decline, b: decline');
    const ended = await here.get(taskId);
    for (const responses of [{ [a]: yes(true) }, { zzz: DECLINE }, {}]) {
      expect((await update(taskId, responses)).body.result).toMatchObject({ resultType: 'complete' });
    }
    expect(await there.get(taskId)).toEqual(ended);
    expect(await server.ledgerOf(taskId)).toEqual(['resumed']);
  });
});

/**
 * The keys that a read shows open. One that has waited in vain for a worker which holds the second answer back in Temporal's
 * buffer may be behind: docs/decisions/0004.
 */
async function openSoonFor(reader: TaskClient, taskId: string): Promise<readonly string[]> {
  const startedAt = performance.now();
  const task = await reader.get(taskId);
  return performance.now() - startedAt < ASKS_WORKER_MS ? Object.keys(questionsOf(task)) : [];
}

describe('two answers at the same instant over two fronts', () => {
  it(`both land, and the task goes on once, ${String(PARALLEL_ROUNDS)} times`, async () => {
    const round = async (index: number): Promise<void> => {
      const { taskId, a, b } = await askedTwice();
      const [first, second] = index % 2 === 0 ? [here, there] : [there, here];
      await Promise.all([
        first.answer(taskId, { [a]: yes(index % 3 === 0) }),
        second.answer(taskId, { [b]: index % 5 === 0 ? DECLINE : yes(true) }),
      ]);
      // Both were acknowledged, so that neither reader may still show a question.
      const seen = await Promise.all([here, there].map((reader) => openSoonFor(reader, taskId)));
      expect(seen).toEqual([[], []]);
      const b_ = index % 5 === 0 ? 'decline' : 'accept true';
      expect(await end(taskId)).toBe(`a: accept ${String(index % 3 === 0)}, b: ${b_}`);
    };
    for (let done = 0; done < PARALLEL_ROUNDS; done += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => round(done + index)));
    }
  }, 60_000);
});

describe('answers of a wrong shape', () => {
  it('are refused where they are no object of answers, and an empty one is acknowledged', async () => {
    const { taskId, a, b } = await askedTwice();
    const before = await here.get(taskId);
    for (const inputResponses of [null, [], 'yes', 7, undefined]) {
      const { status, body } = await update(taskId, inputResponses);
      expect([status, body.error?.code]).toEqual([200, -32602]);
    }
    expect((await update(taskId, {})).body.result).toMatchObject({ resultType: 'complete' });
    expect(await there.get(taskId)).toEqual(before);
    await here.answer(taskId, { [a]: DECLINE, [b]: DECLINE });
    await end(taskId);
  });

  it.each([
    ['that misses its field', { action: 'accept', content: { no: true } }, /yes is missing/],
    ['that is no answer at all', 'yes', /must be an object with an action/],
  ])('beside a good one count alone: the one %s is asked again with the reason', async (_how, misfit, reason) => {
    const { taskId, a, b } = await askedTwice();
    expect((await update(taskId, { [a]: yes(true), [b]: misfit })).body.result).toMatchObject({
      resultType: 'complete',
    });
    const asked = await there.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    const [[again, request] = ['', undefined], ...others] = Object.entries(questionsOf(asked));
    expect([others, [a, b].includes(again), request?.params['message']]).toEqual([
      [],
      false,
      expect.stringMatching(reason),
    ]);
    await here.answer(taskId, { [again]: yes(false) });
    expect(await end(taskId)).toBe('a: accept true, b: accept false');
  });
});
