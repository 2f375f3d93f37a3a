/** The runs that are recorded: each way through the lifecycle and the product's tools that a replay should know. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Point } from '../../demo/erp/faults.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import type { Caller } from '../../server/caller.ts';
import type { NewTask, TaskStore } from '../../server/task-store.ts';

const PATIENCE_MS = 60_000;

export interface Stage {
  readonly store: TaskStore;
  readonly caller: Caller;
  armErp(fault: Fault): Promise<void>;
  untilHeldAtErp(point: Point): Promise<void>;
  releaseErp(): Promise<void>;
}

/** @returns the id of the task, which has ended */
type Scenario = (stage: Stage) => Promise<string>;

const CHAIRS = { description: 'Office chair', quantity: '4', unitPrice: '189.90' };
const MACHINE = { description: 'Milling machine', quantity: '1', unitPrice: '45900.00' };
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
  'purchase-order-draft-above-approval-limit': async (stage) => {
    const justification = 'The old machine cannot be repaired any more.';
    return until(stage, await order(stage, { ...ORDER, lines: [MACHINE], justification }), 'completed');
  },
  'purchase-order-cancelled-while-posting': async (stage) => {
    await stage.armErp({ at: 'orders-after-accept', kind: 'hold' });
    const taskId = await order(stage, ORDER);
    await stage.untilHeldAtErp('orders-after-accept');
    await stage.store.cancel(stage.caller, taskId, 'requested for the recording');
    await stage.releaseErp();
    return until(stage, taskId, 'cancelled');
  },
  'purchase-order-expired': async (stage) => {
    const taskId = await order(stage, ORDER_THAT_ASKS, { ttlMs: 3_000 });
    await until(stage, taskId, 'input_required');
    return until(stage, taskId, 'failed');
  },
  'slow-compute-completed': async (stage) => {
    const taskId = await create(stage, 'slow_compute', { seconds: 3, label: 'totals' });
    return until(stage, taskId, 'completed');
  },
};

function order(stage: Stage, args: JsonObject, more?: Partial<NewTask>): Promise<string> {
  return create(stage, 'purchase_order', args, more);
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
