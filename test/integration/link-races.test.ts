import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Decision } from '../../protocol/decision.ts';
import type { JsonObject } from '../../protocol/task.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { decideSurely, outcomeOf, type ConfirmedAnswer } from '../support/approver.ts';
import { answerByLink, linkIn, untilAsked } from '../support/hiring.ts';
import { runRounds } from '../support/rounds.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

const AT_ONCE = 8;
const TEST_MS = 240_000;

let bench: TaskBench;
let desk: TemporalApprovalDesk;
let worker: { stop(): Promise<void> };
const random = seededRandom('link races');

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./way-out-workflows.ts', import.meta.url)), {});
  desk = new TemporalApprovalDesk(bench.service);
  worker = await bench.startWorker();
});

interface Opened {
  readonly taskId: string;
  readonly offer: ApprovalCase;
  readonly wayOut: ApprovalCase;
}

async function open(args: JsonObject = {}): Promise<Opened> {
  const taskId = await bench.create('offer', args);
  const workflowId = bench.workflowId(taskId);
  const offer = await untilAsked(desk, workflowId, (found) => linkIn(found, false));
  return { taskId, offer, wayOut: await untilAsked(desk, workflowId, (found) => linkIn(found, true)) };
}

/** By their form. */
function answerSurely(found: ApprovalCase, more: Partial<Decision> = {}): Promise<ConfirmedAnswer> {
  return decideSurely(desk, found, answerByLink(found, more));
}

function counts({ counted }: ConfirmedAnswer): boolean {
  return counted;
}

/** Up to a few ms apart, in either order. */
function together<T extends readonly unknown[]>(...acts: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> {
  const started = acts.map(async (act) => {
    await new Promise((resolve) => setTimeout(resolve, random.below(4)));
    return act();
  });
  return Promise.all(started) as unknown as Promise<T>;
}

async function nearly(found: ApprovalCase): Promise<void> {
  const leftMs = (found.open[0]?.dueAt ?? 0) - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(leftMs - 20 + random.below(60), 0)));
}

describe('exactly one answer by a link', () => {
  it(
    'when yes, no and the way out are sent in the same instant, 60 rounds',
    async () => {
      await runRounds(60, AT_ONCE, async () => {
        const { taskId, offer, wayOut } = await open();
        const answers = await together<readonly [ConfirmedAnswer, ConfirmedAnswer, ConfirmedAnswer]>(
          () => answerSurely(offer),
          () => answerSurely(offer, { choice: 'reject' }),
          () => answerSurely(wayOut),
        );
        expect(answers.filter(counts)).toHaveLength(1);
        expect(await outcomeOf(bench, taskId)).toBe(['approved', 'rejected', 'ended'][answers.findIndex(counts)]);
      });
    },
    TEST_MS,
  );

  it(
    'when a yes or the way out meets the expiry, 50 rounds',
    async () => {
      await runRounds(50, AT_ONCE * 2, async () => {
        const { taskId, offer, wayOut } = await open({ withinMs: 1_500 + random.below(1_200) });
        const says = random.pick([offer, wayOut]);
        await nearly(offer);
        const answer = await answerSurely(says);
        const ifCounted = says === offer ? 'approved' : 'ended';
        expect(await outcomeOf(bench, taskId)).toBe(counts(answer) ? ifCounted : 'expired');
      });
    },
    TEST_MS,
  );

  it(
    'when a yes and the way out meet the cancel, 50 rounds',
    async () => {
      await runRounds(50, AT_ONCE, async () => {
        const { taskId, offer, wayOut } = await open();
        const [yes, out] = await together<readonly [ConfirmedAnswer, ConfirmedAnswer, unknown]>(
          () => answerSurely(offer),
          () => answerSurely(wayOut),
          () => bench.store.cancel(bench.caller, taskId, 'changed my mind'),
        );
        const outcome = await outcomeOf(bench, taskId);
        expect([yes, out].filter(counts).length).toBeLessThanOrEqual(1);
        // A cancel that comes after the answer may still end the task before its body has gone on.
        const told = counts(yes) ? 'approved' : counts(out) ? 'ended' : 'cancelled';
        expect(['cancelled', told]).toContain(outcome);
      });
    },
    TEST_MS,
  );

  it(
    'when yes, no and the way out have come together while no worker ran, 40 tasks',
    async () => {
      const opened = await Promise.all(Array.from({ length: 40 }, () => open()));
      await worker.stop();
      const answering = opened.map(({ offer, wayOut }) =>
        Promise.all([answerSurely(offer), answerSurely(offer, { choice: 'reject' }), answerSurely(wayOut)]),
      );
      worker = await bench.startWorker();
      for (const [index, answers] of (await Promise.all(answering)).entries()) {
        expect(answers.filter(counts)).toHaveLength(1);
        const { taskId } = opened[index]!;
        expect(await outcomeOf(bench, taskId)).toBe(['approved', 'rejected', 'ended'][answers.findIndex(counts)]);
      }
    },
    TEST_MS,
  );
});
