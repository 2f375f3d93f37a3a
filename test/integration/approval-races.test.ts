import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../protocol/task.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import {
  decide,
  decideSurely,
  decisionOn,
  outcomeOf,
  REJECTION,
  waitForApproval,
  type ConfirmedAnswer,
} from '../support/approver.ts';
import { runRounds } from '../support/rounds.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

const AT_ONCE = 8;
const TEST_MS = 240_000;

let bench: TaskBench;
let desk: TemporalApprovalDesk;
let worker: { stop(): Promise<void> };
const random = seededRandom('approval races');

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./approval-workflows.ts', import.meta.url)), {});
  desk = new TemporalApprovalDesk(bench.service);
  worker = await bench.startWorker();
});

async function open(args: JsonObject = {}): Promise<{ taskId: string; found: ApprovalCase }> {
  const taskId = await bench.create('approve', args);
  return { taskId, found: await waitForApproval(desk, bench.workflowId(taskId)) };
}

/** Those whose decision made the outcome. */
function winnersOf(answers: readonly ConfirmedAnswer[]): readonly ConfirmedAnswer[] {
  return answers.filter((answer) => answer.counted && answer.decided !== undefined);
}

function refusalsOf(answers: readonly ConfirmedAnswer[]): readonly string[] {
  return answers.flatMap((answer) => (answer.counted ? [] : [answer.refusal.code]));
}

/** Up to a few ms apart, in either order. */
function together(...acts: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  return Promise.all(
    acts.map(async (act) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(4)));
      return act();
    }),
  );
}

describe('exactly one outcome', () => {
  it(
    'when two decide in the same instant, 600 rounds',
    async () => {
      await runRounds(600, AT_ONCE, async () => {
        const { taskId, found } = await open();
        const yes = decisionOn(found, 'yes');
        const no = decisionOn(found, 'no', REJECTION);
        const answers = (await together(
          () => decideSurely(desk, found, yes),
          () => decideSurely(desk, found, no),
        )) as ConfirmedAnswer[];
        expect(winnersOf(answers)).toHaveLength(1);
        const outcome = await outcomeOf(bench, taskId);
        expect(outcome).toBe(winnersOf(answers)[0] === answers[0] ? 'approved' : 'rejected');
        const winner = outcome === 'approved' ? 'yes' : 'no';
        expect(answers).toContainEqual(
          expect.objectContaining({
            counted: false,
            refusal: expect.objectContaining({
              code: 'decided',
              decided: expect.objectContaining({ result: outcome, by: [winner] }) as unknown,
            }) as unknown,
          }),
        );
      });
    },
    TEST_MS,
  );

  it(
    'when a decision meets the expiry, 150 rounds',
    async () => {
      await runRounds(150, AT_ONCE * 2, async () => {
        const withinMs = 1_500 + random.below(1_200);
        const { taskId, found } = await open({ withinMs });
        const decision = decisionOn(found, 'late');
        const leftMs = (found.open[0]?.dueAt ?? 0) - Date.now();
        await new Promise((resolve) => setTimeout(resolve, Math.max(leftMs - 20 + random.below(60), 0)));
        const answer = await decideSurely(desk, found, decision);
        expect(await outcomeOf(bench, taskId)).toBe(winnersOf([answer]).length === 1 ? 'approved' : 'expired');
      });
    },
    TEST_MS,
  );

  it(
    'when a decision meets the cancel, 200 rounds',
    async () => {
      await runRounds(200, AT_ONCE, async () => {
        const { taskId, found } = await open();
        const decision = decisionOn(found, 'yes');
        const [answer] = (await together(
          () => decideSurely(desk, found, decision),
          () => bench.store.cancel(bench.caller, taskId, 'changed my mind'),
        )) as [ConfirmedAnswer, unknown];
        const won = winnersOf([answer]).length === 1;
        const outcome = await outcomeOf(bench, taskId);
        // A cancel that comes after the decision may still end the task before its body has gone on.
        expect(won ? ['approved', 'cancelled'] : ['cancelled']).toContain(outcome);
      });
    },
    TEST_MS,
  );

  it(
    'when fifty people decide on a quorum, 50 rounds',
    async () => {
      await runRounds(50, 2, async () => {
        const quorum = 1 + random.below(5);
        const { taskId, found } = await open({ quorum });
        const people = Array.from({ length: 50 }, (_, index) => `person ${String(index)}`);
        const answers = (await together(
          ...people.map((name) => () => decideSurely(desk, found, decisionOn(found, name))),
        )) as ConfirmedAnswer[];
        expect(winnersOf(answers)).toHaveLength(1);
        expect(answers.filter(({ counted }) => counted)).toHaveLength(quorum);
        expect(new Set(refusalsOf(answers))).toEqual(new Set(['decided']));
        expect(refusalsOf(answers)).toHaveLength(50 - quorum);
        expect(await outcomeOf(bench, taskId)).toBe('approved');
      });
    },
    TEST_MS,
  );
});

// Last: it stops the worker.
it(
  'a decision that is sent while no worker runs is not confirmed, and counts when one is back',
  async () => {
    const { taskId, found } = await open();
    await worker.stop();
    const decision = decisionOn(found, 'patient');
    expect(await decide(desk, found, decision)).toBe('unconfirmed');
    expect(['unconfirmed', undefined]).toContain(await desk.verdictOf(found.workflowId, decision.updateId));
    worker = await bench.startWorker();
    expect(await decideSurely(desk, found, decision)).toMatchObject({ counted: true, decided: { by: ['patient'] } });
    expect(await outcomeOf(bench, taskId)).toBe('approved');
    expect(await desk.verdictOf(found.workflowId, decision.updateId)).toMatchObject({ counted: true });
  },
  TEST_MS,
);
