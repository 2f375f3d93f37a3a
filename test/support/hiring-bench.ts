/** Hirings on the run's Temporal, with a worker of the product's own tools, and people who decide in them. */
import { fileURLToPath } from 'node:url';
import type { Approval } from '../../protocol/approval.ts';
import type { Decision } from '../../protocol/decision.ts';
import type { JsonObject } from '../../protocol/task.ts';
import type { ApprovalCase, DecisionAnswer } from '../../server/approvals/approval-desk.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { decide } from './approver.ts';
import { aHiring, answerByLink, askedOf, decideAs, linkIn, untilAsked } from './hiring.ts';
import { openTaskBench, type TaskBench } from './task-bench.ts';

type Pick = (found: ApprovalCase) => Approval | undefined;

export const thePanel: Pick = (found) => askedOf(found, 'engineering');
export const hr: Pick = (found) => askedOf(found, 'hr');
export const theOffer: Pick = (found) => linkIn(found, false);
export const theWayOut: Pick = (found) => linkIn(found, true);

export interface HiringBench {
  readonly bench: TaskBench;
  readonly desk: TemporalApprovalDesk;
  /** As if its machine were gone; `startWorker` starts another one. */
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** `features`: what the caller's client can be asked. */
  hire(more?: JsonObject, features?: Readonly<Record<string, boolean>>): Promise<string>;
  /** The case with the approval that `pick` finds, once it does. */
  asked(taskId: string, pick: Pick): Promise<ApprovalCase>;
  /** As many of the panel as it takes. */
  sayHire(taskId: string): Promise<void>;
  untilOffered(more?: JsonObject): Promise<{ readonly taskId: string; readonly offer: ApprovalCase }>;
  /** By the link of the only approval of `found`. */
  answer(found: ApprovalCase, more?: Partial<Decision>): Promise<DecisionAnswer>;
  resultOf(taskId: string): Promise<JsonObject>;
  cancel(taskId: string): Promise<void>;
}

const HOUR_MS = 3_600_000;
const PANEL = Array.from({ length: 10 }, (_, index) => `Engineer ${String(index + 1)}`);

/** `activities`: in the place of those that do nothing, such as what keeps an audit. */
export async function openHiringBench(activities: object = {}): Promise<HiringBench> {
  const bench = await openTaskBench(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), activities);
  const desk = new TemporalApprovalDesk(bench.service);
  let worker = await bench.startWorker();
  const opened: HiringBench = {
    bench,
    desk,
    stopWorker: () => worker.stop(),
    async startWorker() {
      worker = await bench.startWorker();
    },
    hire: (more = {}, features = { elicitationForm: true }) =>
      bench.create('hire_candidate', aHiring(more), {
        ttlMs: HOUR_MS,
        maxTtlMs: 30 * 24 * HOUR_MS,
        features: { elicitationForm: false, ...features },
      }),
    asked: (taskId, pick) => untilAsked(desk, bench.workflowId(taskId), pick),
    async sayHire(taskId) {
      const found = await opened.asked(taskId, thePanel);
      for (const name of PANEL.slice(0, found.open[0]?.quorum)) await decideAs(desk, found, name);
    },
    async untilOffered(more) {
      const taskId = await opened.hire(more);
      await opened.sayHire(taskId);
      await decideAs(desk, await opened.asked(taskId, hr), 'Hanna');
      return { taskId, offer: await opened.asked(taskId, theOffer) };
    },
    answer: (found, more) => decide(desk, found, answerByLink(found, more)),
    async resultOf(taskId) {
      const ended = await bench.until(taskId, 'completed', 'failed');
      const structured = ended.status === 'completed' ? ended.result.structuredContent : undefined;
      if (structured === undefined) throw new Error(`It has no result: ${JSON.stringify(ended)}`);
      return structured;
    },
    cancel: (taskId) => bench.store.cancel(bench.caller, taskId, 'the test has seen enough'),
  };
  return opened;
}
