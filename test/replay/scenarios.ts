/** The runs that are recorded: each way through the lifecycle and the product's tools that a replay should know. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Point } from '../../demo/erp/faults.ts';
import { demoInvoices } from '../../demo/invoices/demo-invoice.ts';
import { commaCsv } from '../../demo/invoices/invoice-csv.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import type { Decision } from '../../protocol/decision.ts';
import type { ApprovalDesk } from '../../server/approvals/approval-desk.ts';
import type { Caller } from '../../server/caller.ts';
import type { NewTask, TaskStore } from '../../server/task-store.ts';
import { decide, decisionOn, waitForApproval } from '../support/approver.ts';
import { aHiring, answerByLink, LETTER_POSITION, linkIn, untilAsked } from '../support/hiring.ts';

const PATIENCE_MS = 60_000;

export interface Stage {
  readonly store: TaskStore;
  readonly desk: ApprovalDesk;
  readonly caller: Caller;
  armErp(fault: Fault): Promise<void>;
  untilHeldAtErp(point: Point): Promise<void>;
  releaseErp(): Promise<void>;
  /** Takes goods in for the first line of the task's order. */
  receiveAtErp(taskId: string, reference: string, quantity: string): Promise<void>;
  /** @returns its fileId */
  uploadCsv(text: string): Promise<string>;
}

/** @returns the id of the task, which has ended */
type Scenario = (stage: Stage) => Promise<string>;

const CHAIRS = { description: 'Office chair', quantity: '4', unitPrice: '189.90' };
const MACHINE = { description: 'Milling machine', quantity: '1', unitPrice: '45900.00' };
const SERVERS = { description: 'Server', quantity: '8', unitPrice: '7500.00' };
const JUSTIFICATION = 'The old machine cannot be repaired any more.';
const ORDER = { vendor: 'Nordlicht Bürobedarf GmbH', currency: 'EUR', costCentre: '1100', lines: [CHAIRS] };
const { costCentre: _, ...ORDER_THAT_ASKS } = ORDER;

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'purchase-order-completed-after-question': async (stage) => {
    const taskId = await order(stage, ORDER_THAT_ASKS);
    await answer(stage, taskId, { costCentre: '2100' });
    return until(stage, taskId, 'completed');
  },
  'purchase-order-asked-again': async (stage) => {
    const taskId = await order(stage, ORDER_THAT_ASKS);
    const [misfit] = await answer(stage, taskId, { costCentre: 'the usual one' });
    await until(stage, taskId, 'input_required', (task) => !keysOf(task).includes(misfit ?? ''));
    await answer(stage, taskId, { costCentre: '2100' });
    return until(stage, taskId, 'completed');
  },
  'purchase-order-approved-by-three': async (stage) => {
    const taskId = await order(stage, { ...ORDER, lines: [SERVERS], justification: JUSTIFICATION });
    await decideOn(stage, taskId, 'Paula', 'purchasing');
    await decideOn(stage, taskId, 'Fred', 'finance');
    await decideOn(stage, taskId, 'Fiona', 'finance');
    return until(stage, taskId, 'completed');
  },
  'purchase-order-approved-after-changes': async (stage) => {
    const taskId = await largeOrder(stage);
    const wish = { choice: 'request_changes', reason: 'Which machine is replaced?' } as const;
    await decideOn(stage, taskId, 'Paula', 'purchasing', wish);
    await answer(stage, taskId, { answer: 'send-again', justification: 'It replaces machine number 4.' });
    await decideOn(stage, taskId, 'Paula', 'purchasing');
    return until(stage, taskId, 'completed');
  },
  'purchase-order-rejected': async (stage) => {
    const taskId = await largeOrder(stage);
    const no = { choice: 'reject', option: 'too_expensive', reason: 'Rent one.' } as const;
    await decideOn(stage, taskId, 'Paula', 'purchasing', no);
    return until(stage, taskId, 'completed');
  },
  'purchase-order-not-decided-in-time': async (stage) => {
    return until(stage, await largeOrder(stage, { decideWithinSeconds: 3 }), 'completed');
  },
  'purchase-order-cancelled-before-the-decision': async (stage) => {
    const taskId = await largeOrder(stage);
    await waitForApproval(stage.desk, workflowIdOf(stage, taskId));
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    return until(stage, taskId, 'cancelled');
  },
  'purchase-order-approved-with-a-long-list': async (stage) => {
    const part = { description: 'A spare part with a long name. '.repeat(6), quantity: '1', unitPrice: '200.00' };
    const lines = Array.from({ length: 60 }, () => part);
    const taskId = await order(stage, { ...ORDER, lines, justification: JUSTIFICATION });
    await decideOn(stage, taskId, 'Paula', 'purchasing');
    return until(stage, taskId, 'completed');
  },
  'purchase-order-cancelled-while-posting': async (stage) => {
    await stage.armErp({ at: 'orders-after-accept', kind: 'hold' });
    const taskId = await order(stage, ORDER);
    await stage.untilHeldAtErp('orders-after-accept');
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    await stage.releaseErp();
    return until(stage, taskId, 'cancelled');
  },
  'purchase-order-mailed': async (stage) => until(stage, await order(stage, ORDER), 'completed'),
  'purchase-order-received': async (stage) => {
    const taskId = await waitingForGoods(stage);
    await stage.receiveAtErp(taskId, 'DN-1', '3');
    await until(stage, taskId, 'working', ({ statusMessage }) => statusMessage?.includes('3 of 4 units') === true);
    await stage.receiveAtErp(taskId, 'DN-2', '1');
    return until(stage, taskId, 'completed');
  },
  'purchase-order-cancelled-before-the-goods': async (stage) => {
    const taskId = await waitingForGoods(stage);
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    return until(stage, taskId, 'cancelled');
  },
  'purchase-order-cancelled-between-the-goods': async (stage) => {
    const taskId = await waitingForGoods(stage);
    await stage.receiveAtErp(taskId, 'DN-1', '1');
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    return until(stage, taskId, 'completed');
  },
  'purchase-order-expired': async (stage) => {
    const taskId = await order(stage, ORDER_THAT_ASKS, { ttlMs: 3_000 });
    await until(stage, taskId, 'input_required');
    return until(stage, taskId, 'failed');
  },
  'hire-candidate-accepted': async (stage) => {
    const taskId = await create(
      stage,
      'hire_candidate',
      aHiring({ letter: 'I like trains.', position: LETTER_POSITION }),
    );
    await answer(stage, taskId, { score: 8, why: 'Says why.' });
    const reason = 'Knows the trade.';
    await decideOn(stage, taskId, 'Ina', 'engineering', { reason });
    await decideOn(stage, taskId, 'Ivo', 'engineering', { reason });
    await decideOn(stage, taskId, 'Hanna', 'hr');
    await answerLink(stage, taskId, false);
    return until(stage, taskId, 'completed');
  },
  'hire-candidate-withdrawn-by-the-candidate': async (stage) => {
    const taskId = await create(stage, 'hire_candidate', aHiring());
    await decideOn(stage, taskId, 'Ina', 'engineering', { choice: 'request_changes', reason: 'Ask about tests.' });
    await decideOn(stage, taskId, 'Ina', 'engineering', { reason: 'Knows the trade.' });
    await answerLink(stage, taskId, true);
    return until(stage, taskId, 'completed');
  },
  'hire-candidate-cancelled-before-the-answer': async (stage) => {
    const taskId = await create(stage, 'hire_candidate', aHiring());
    const reason = 'Knows the trade.';
    await decideOn(stage, taskId, 'Ina', 'engineering', { reason });
    await decideOn(stage, taskId, 'Ivo', 'engineering', { reason });
    await decideOn(stage, taskId, 'Hanna', 'hr');
    await untilAsked(stage.desk, workflowIdOf(stage, taskId), (found) => linkIn(found, false));
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    return until(stage, taskId, 'cancelled');
  },
  'slow-compute-completed': async (stage) => {
    const taskId = await create(stage, 'slow_compute', { seconds: 3, label: 'totals' });
    return until(stage, taskId, 'completed');
  },
  'reconcile-invoices-asked-and-approved': async (stage) => {
    const taskId = await reconcile(stage, 'HC-77160', 'INV-004450', '2026/00890');
    await answer(stage, taskId, { decision: 'accept' });
    await decideOn(stage, taskId, 'Fiona', 'finance');
    return until(stage, taskId, 'completed');
  },
  'reconcile-invoices-matched-again': async (stage) => {
    const taskId = await reconcile(stage, 'RE-2026-1063');
    await answer(stage, taskId, { decision: 'match', orderNumber: 'PO-460004' });
    return until(stage, taskId, 'completed');
  },
  'reconcile-invoices-of-files-that-are-told': async (stage) =>
    until(stage, await reconcile(stage, 'RE-2026-1041'), 'completed'),
  'reconcile-invoices-asked-about-several-again': async (stage) => {
    const taskId = await reconcile(stage, '2026/00871', 'INV-004418', 'AW-9940');
    const misfits = await answer(stage, taskId, { decision: 'perhaps' });
    await until(stage, taskId, 'input_required', (task) => !keysOf(task).some((key) => misfits.includes(key)));
    await answer(stage, taskId, { decision: 'accept' });
    return until(stage, taskId, 'completed');
  },
  'reconcile-invoices-cancelled-while-posting': async (stage) => {
    await stage.armErp({ at: 'invoices-after-accept', kind: 'hold' });
    const taskId = await reconcile(stage, 'DF260480');
    await stage.untilHeldAtErp('invoices-after-accept');
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    await stage.releaseErp();
    return until(stage, taskId, 'cancelled');
  },
};

function order(stage: Stage, args: JsonObject, more?: Partial<NewTask>): Promise<string> {
  return create(stage, 'purchase_order', args, more);
}

/** Purchasing has to approve it. */
function largeOrder(stage: Stage, more: JsonObject = {}): Promise<string> {
  return order(stage, { ...ORDER, lines: [MACHINE], justification: JUSTIFICATION, ...more });
}

/** It has told its vendor, and waits. */
async function waitingForGoods(stage: Stage): Promise<string> {
  const taskId = await order(stage, { ...ORDER, awaitGoodsForDays: 2 }, { maxTtlMs: 10 * 86_400_000 });
  return until(
    stage,
    taskId,
    'working',
    ({ statusMessage }) => statusMessage?.includes('waiting for the goods') === true,
  );
}

/** Of the demo's invoices those with these numbers. */
async function reconcile(stage: Stage, ...numbers: readonly string[]): Promise<string> {
  const invoices = demoInvoices().filter(({ number }) => numbers.includes(number));
  return create(stage, 'reconcile_invoices', { files: [await stage.uploadCsv(commaCsv(invoices))] });
}

function workflowIdOf({ caller }: Stage, taskId: string): string {
  return `mcp-task/${caller.principal}/${taskId}`;
}

async function decideOn(
  stage: Stage,
  taskId: string,
  by: string,
  role: string,
  more: Partial<Decision> = {},
): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await untilAsked(stage.desk, workflowIdOf(stage, taskId), ({ open }) =>
      open.find(({ link }) => link === undefined),
    );
    const answered = await decide(stage.desk, found, decisionOn(found, by, { roles: [role], ...more }));
    if (answered !== 'unconfirmed' && answered.counted) return;
    // Until it is this role's turn.
    if (performance.now() > endsAt) throw new Error(`${by} cannot decide: ${JSON.stringify(answered)}`);
    await delay(100);
  }
}

async function answerLink(stage: Stage, taskId: string, isStanding: boolean): Promise<void> {
  const found = await untilAsked(stage.desk, workflowIdOf(stage, taskId), (each) => linkIn(each, isStanding));
  await decide(stage.desk, found, answerByLink(found));
}

async function create(stage: Stage, tool: string, args: JsonObject, more: Partial<NewTask> = {}): Promise<string> {
  const { task } = await stage.store.create(stage.caller, {
    tool,
    args,
    features: { elicitationForm: true },
    ttlMs: 3_600_000,
    maxTtlMs: 86_400_000,
    pollIntervalMs: 1_000,
    ...more,
  });
  return task.taskId;
}

/** @returns the keys that were answered */
async function answer(stage: Stage, taskId: string, content: JsonObject): Promise<readonly string[]> {
  await until(stage, taskId, 'input_required');
  const keys = keysOf(await stage.store.get(stage.caller, taskId));
  const responses = keys.map((key) => [key, { action: 'accept', content }] as const);
  await stage.store.deliver(stage.caller, taskId, Object.fromEntries(responses));
  return keys;
}

async function until(
  { store, caller }: Stage,
  taskId: string,
  status: DetailedTask['status'],
  holds: (task: DetailedTask) => boolean = () => true,
): Promise<string> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const task = await store.get(caller, taskId);
    if (task.status === status && holds(task)) return taskId;
    if (performance.now() > endsAt) throw new Error(`Still not ${status}: ${JSON.stringify(task)}`);
    await delay(100);
  }
}

function keysOf(task: DetailedTask): readonly string[] {
  return task.status === 'input_required' ? Object.keys(task.inputRequests) : [];
}
