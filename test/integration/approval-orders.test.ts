/** What reaches an approval while no worker runs is met all at once by the one that comes: no order of it changes who wins. */
import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Decision } from '../../protocol/decision.ts';
import type { ApprovalCase, DecisionAnswer } from '../../server/approvals/approval-desk.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { decide, decideSurely, decisionOn, outcomeOf, REJECTION, waitForApproval } from '../support/approver.ts';
import { patiently } from '../support/patience.js';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

const ACTS = ['yes', 'no', 'cancel', 'due'] as const;
type Act = (typeof ACTS)[number];
type Deciding = Extract<Act, 'yes' | 'no'>;

/** All of them are open and the worker has stopped before the first is due. */
const DUE_MS = patiently(5_000);
/** So long that what is sent later comes later, also where an answer is not waited for. */
const BETWEEN_MS = 150;
const TEST_MS = 180_000;

interface Round {
  readonly order: readonly Act[];
  readonly taskId: string;
  readonly found: ApprovalCase;
  readonly decisions: Readonly<Record<Deciding, Decision>>;
}

/** Every order of two, and every order of all of them. */
const ORDERS = [...permutations(ACTS, 2), ...permutations(ACTS, ACTS.length)];

function permutations<T>(from: readonly T[], length: number): readonly (readonly T[])[] {
  if (length === 0) return [[]];
  return from.flatMap((first) =>
    permutations(
      from.filter((other) => other !== first),
      length - 1,
    ).map((rest) => [first, ...rest]),
  );
}

function isDeciding(act: Act): act is Deciding {
  return act === 'yes' || act === 'no';
}

const OUTCOMES = { yes: 'approved', no: 'rejected' } as const;

/** What ends it whoever decides, the stronger first. */
function endsOf(order: readonly Act[]): readonly string[] {
  return [...(order.includes('cancel') ? ['cancelled'] : []), ...(order.includes('due') ? ['expired'] : [])];
}

let bench: TaskBench;
let desk: TemporalApprovalDesk;
/** By the acts of its order. */
const rounds = new Map<string, Round>();

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./approval-workflows.ts', import.meta.url)), {});
  desk = new TemporalApprovalDesk(bench.service);
  const worker = await bench.startWorker();
  for (const round of await Promise.all(ORDERS.map(open))) rounds.set(round.order.join(), round);
  await worker.stop();
  expect(Math.min(...[...rounds.values()].flatMap(dueAt))).toBeGreaterThan(Date.now());
  await Promise.all([...rounds.values()].map(send));
  await bench.startWorker();
}, TEST_MS);

async function open(order: readonly Act[]): Promise<Round> {
  const taskId = await bench.create('approve', order.includes('due') ? { withinMs: DUE_MS } : {});
  const found = await waitForApproval(desk, bench.workflowId(taskId));
  return { order, taskId, found, decisions: { yes: decisionOn(found, 'yes'), no: decisionOn(found, 'no', REJECTION) } };
}

function dueAt({ order, found }: Round): readonly number[] {
  return order.includes('due') ? [found.open[0]?.dueAt ?? 0] : [];
}

async function send(round: Round): Promise<void> {
  const answers: Promise<DecisionAnswer>[] = [];
  for (const act of round.order) {
    if (isDeciding(act)) answers.push(decide(desk, round.found, round.decisions[act]));
    if (act === 'cancel') await bench.store.cancel(bench.caller, round.taskId, 'changed my mind');
    if (act === 'due') await delay(Math.max((round.found.open[0]?.dueAt ?? 0) - Date.now(), 0));
    await delay(BETWEEN_MS);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set(answers.length === 0 ? [] : ['unconfirmed']));
}

it.each(ORDERS.map((order) => [order.join(', '), order] as const))(
  'has one outcome, and whoever lost is told: %s',
  async (_, order) => {
    const round = rounds.get(order.join())!;
    const outcome = await outcomeOf(bench, round.taskId);
    const answers = await Promise.all(
      order.filter(isDeciding).map((act) => decideSurely(desk, round.found, round.decisions[act])),
    );
    const counted = order.filter(isDeciding).filter((_act, index) => answers[index]?.counted === true);
    const refusals = answers.flatMap((answer) => (answer.counted ? [] : [answer.refusal.code]));

    const [winner] = counted;
    const [ending = winner && OUTCOMES[winner]] = endsOf(order);
    expect(outcome).toBe(ending);
    expect(counted).toHaveLength(endsOf(order).length > 0 ? 0 : 1);
    expect(refusals).toEqual(Array(answers.length - counted.length).fill('decided'));
  },
  TEST_MS,
);
