/**
 * C16: one question, two opposite answers. The first one that the task takes stands, whatever else is acknowledged, and
 * readers, result and ledger all say the same.
 *
 * Every order of cancel, deadline and answers with all workers down: test/e2e/ending-orders.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import type { DetailedTask, JsonObject } from '../../../protocol/task.ts';
import { eventually } from '../../support/eventually.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { createRelay } from '../../support/relay.ts';
import { runRounds } from '../../support/rounds.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';

const ROUNDS = 200;
const CANCEL_ROUNDS = 40;
const AT_ONCE = 20;
const ENDS_WITHIN_MS = 20_000;
const ACCEPT: JsonObject = { action: 'accept', content: { yes: true } };
const DECLINE: JsonObject = { action: 'decline' };

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

async function asked(more = 0): Promise<{ taskId: string; key: string }> {
  const taskId = await here.create('approve', { more });
  return { taskId, key: await openKey(taskId) };
}

async function openKey(taskId: string): Promise<string> {
  const keys = Object.keys(questionsOf(await here.until(taskId, ['input_required'], ENDS_WITHIN_MS)));
  expect(keys).toHaveLength(1);
  return keys[0] ?? '';
}

async function ended(taskId: string): Promise<DetailedTask> {
  const end = await there.until(taskId, ['completed', 'failed', 'cancelled'], ENDS_WITHIN_MS);
  expect(await here.get(taskId)).toEqual(end);
  return end;
}

/** What was decided, once result and ledger agree on it. */
async function decision(taskId: string): Promise<string> {
  const text = textOf(resultOf(await ended(taskId)));
  expect(await server.ledgerOf(taskId)).toEqual([text]);
  return text;
}

it(`accept and decline at the same instant over two fronts are one decision, ${String(ROUNDS)} times`, async () => {
  const random = seededRandom('opposite answers');
  const decided = new Set<string>();
  await runRounds(ROUNDS, AT_ONCE, async () => {
    const { taskId, key } = await asked();
    const [accepting, declining] = random.below(2) === 0 ? [here, there] : [there, here];
    const answers = [
      (): Promise<void> => accepting.answer(taskId, { [key]: ACCEPT }),
      (): Promise<void> => declining.answer(taskId, { [key]: DECLINE }),
    ];
    if (random.below(2) === 0) answers.reverse();
    await Promise.all(answers.map((answer) => answer()));
    const seen = await Promise.all([here.get(taskId), there.get(taskId)]);
    expect(seen.map((task) => Object.keys(questionsOf(task)))).toEqual([[], []]);
    decided.add(await decision(taskId));
  });
  // A race that one side always wins would prove nothing.
  expect(decided).toEqual(new Set(['approved', 'declined']));
}, 150_000);

it('an accept whose acknowledgement is lost is repeated elsewhere, and counts once', async () => {
  const { taskId, key } = await asked();
  const lost = await answerWithoutAck(taskId, key);
  await there.answer(taskId, { [key]: ACCEPT });
  await here.answer(taskId, { [key]: DECLINE });
  expect(await decision(taskId)).toBe('approved');
  await lost();
});

it('an accept that is repeated while the task goes on with a fresh history answers no later question', async () => {
  const { taskId, key } = await asked(2);
  const lost = await answerWithoutAck(taskId, key);
  const answered = [key];
  for (let next = ''; answered.length < 3; answered.push(next)) {
    next = await eventually(async () => {
      const old = Object.fromEntries(answered.map((earlier) => [earlier, ACCEPT]));
      const [seen] = await Promise.all([here.get(taskId), there.answer(taskId, old), here.answer(taskId, old)]);
      return Object.keys(questionsOf(seen)).find((open) => !answered.includes(open)) ?? false;
    }, ENDS_WITHIN_MS);
    await here.answer(taskId, { [next]: answered.length === 1 ? DECLINE : ACCEPT });
  }
  expect(textOf(resultOf(await ended(taskId)))).toBe('approved');
  expect(await server.ledgerOf(taskId)).toEqual(['approved', 'declined', 'approved']);
  await lost();
});

it(`an accept at the moment of a cancel leaves no approval in a cancelled task, ${String(CANCEL_ROUNDS)} times`, async () => {
  const endings = new Set<string>();
  await runRounds(CANCEL_ROUNDS, AT_ONCE, async (index) => {
    const { taskId, key } = await asked();
    const answer = (): Promise<void> => here.answer(taskId, { [key]: ACCEPT });
    const cancel = (): Promise<void> => there.cancel(taskId);
    if (index % 4 === 0) await answer().then(cancel);
    else await Promise.all(index % 2 === 0 ? [cancel(), answer()] : [answer(), cancel()]);
    const { status } = await ended(taskId);
    const booked = await server.ledgerOf(taskId);
    endings.add(status);
    expect(['completed approved', 'cancelled', 'cancelled approved voided']).toContain([status, ...booked].join(' '));
  });
  expect(endings).toContain('cancelled');
}, 60_000);

it('fifteen answers at once are all acknowledged, and one of them stands', async () => {
  const { taskId, key } = await asked();
  const answers = Array.from({ length: 15 }, (_, index) =>
    (index % 2 === 0 ? here : there).answer(taskId, { [key]: index % 3 === 0 ? DECLINE : ACCEPT }),
  );
  await Promise.all(answers);
  expect(['approved', 'declined']).toContain(await decision(taskId));
});

/** The front has the answer, and its acknowledgement never arrives. The returned function checks that. */
async function answerWithoutAck(taskId: string, key: string): Promise<() => Promise<void>> {
  const relay = await createRelay(front.port);
  atScopeEnd(() => relay.close());
  relay.blackhole('toClient');
  const unheard = createTaskClient(`http://127.0.0.1:${String(relay.port)}`)
    .answer(taskId, { [key]: ACCEPT })
    .then(
      () => 'heard',
      () => 'lost',
    );
  await eventually(async () => !Object.hasOwn(questionsOf(await there.get(taskId)), key), ENDS_WITHIN_MS);
  relay.cut();
  return async () => {
    expect(await unheard).toBe('lost');
  };
}
