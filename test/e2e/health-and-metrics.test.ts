/** What an operator is told by fronts and workers: each number is caused here, and then read. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { readMetric } from '../support/metrics.ts';
import { patiently } from '../support/patience.js';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, kill9, openProduct, type Product } from '../support/product.ts';
import { createRelay, type Relay } from '../support/relay.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createTaskClient, type TaskClient } from '../support/task-client.ts';
import { openTemporal } from '../support/temporal.ts';

/** Temporal's counts lag, and a front asks for them at most once in ten seconds. */
const COUNTED_WITHIN_MS = 40_000;
/** Longer than `/readyz` is cached. */
const SEEN_WITHIN_MS = 20_000;
const ENDS_WITHIN_MS = 30_000;
const TEST_MS = 90_000;
const PURCHASE_ORDER = { tool: 'purchase_order' };

let product: Product;
let relay: Relay;
let front: RoleProcess;
let overRelay: Readonly<Record<string, string>>;
let client: TaskClient;

beforeAll(async () => {
  product = await openProduct();
  relay = await createRelay(Number(product.env['TEMPORAL_ADDRESS']!.split(':')[1]));
  atScopeEnd(() => relay.close());
  overRelay = { TEMPORAL_ADDRESS: `127.0.0.1:${String(relay.port)}` };
  front = await product.startFront(overRelay);
  client = createTaskClient(front.url);
});

async function page(origin: string, path: string): Promise<[number, string]> {
  const response = await fetch(origin + path, { signal: AbortSignal.timeout(patiently(10_000)) });
  return [response.status, (await response.text()).trim()];
}

async function expectReady(origin: string, status: number, text: string): Promise<void> {
  await eventually(async () => {
    expect(await page(origin, '/readyz')).toEqual([status, text]);
  }, SEEN_WITHIN_MS);
}

async function expectCounted(
  origin: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  value: number,
): Promise<void> {
  await eventually(async () => {
    expect({ name, ...labels, value: await readMetric(origin, name, labels) }).toEqual({ name, ...labels, value });
  }, COUNTED_WITHIN_MS);
}

// In this order: the front starts without a worker.
describe('/readyz and /healthz', () => {
  it(
    'tell a front without worker, and both without Temporal and with it again',
    async () => {
      await expectReady(front.url, 200, 'degraded: no worker');
      const worker = await product.startWorker(overRelay);
      expect(await page(worker.url, '/readyz')).toEqual([200, 'ok']);
      expect(await page(worker.url, '/healthz')).toEqual([200, 'ok']);
      await expectReady(front.url, 200, 'ok');
      await relay.refuse();
      for (const { url } of [front, worker]) {
        await expectReady(url, 503, 'Temporal is unreachable');
        expect(await page(url, '/healthz')).toEqual([200, 'ok']);
      }
      await relay.restore();
      for (const { url } of [front, worker]) await expectReady(url, 200, 'ok');
      await worker.end();
    },
    TEST_MS,
  );
});

describe('/metrics', () => {
  it(
    'counts what waits in the task queue while no worker runs',
    async () => {
      await Promise.all(Array.from({ length: 7 }, () => client.create('purchase_order', anAskingCall())));
      await expectCounted(front.url, 'mcp_task_queue_backlog', { kind: 'workflow' }, 7);
      const worker = await product.startWorker();
      await expectCounted(front.url, 'mcp_task_queue_backlog', { kind: 'workflow' }, 0);
      await worker.end();
    },
    TEST_MS,
  );

  it(
    'counts tasks by tool and status, ends, and the time in input_required',
    async () => {
      const worker = await product.startWorker();
      const create = (call: object) => client.create('purchase_order', call);
      const [answered, cancelled, open, plain] = await Promise.all(
        [anAskingCall(), anAskingCall(), anAskingCall(), aCall()].map(create),
      );
      for (const taskId of [answered!, cancelled!, open!]) {
        await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
      }
      const askedAt = performance.now();
      await client.until(plain!, ['completed'], ENDS_WITHIN_MS);
      const waitedMs = performance.now() - askedAt;
      await client.accept(answered!, { costCentre: '1100' });
      await client.cancel(cancelled!);
      await client.until(answered!, ['completed'], ENDS_WITHIN_MS);
      await client.until(cancelled!, ['cancelled'], ENDS_WITHIN_MS);

      for (const [status, value] of Object.entries({ completed: 2, cancelled: 1 })) {
        await expectCounted(front.url, 'mcp_tasks', { ...PURCHASE_ORDER, status }, value);
        await expectCounted(worker.url, 'mcp_tasks_ended_total', { ...PURCHASE_ORDER, status }, value);
      }
      const went = { ...PURCHASE_ORDER, from: 'input_required', to: 'working' };
      await expectCounted(worker.url, 'mcp_task_status_changes_total', went, 1);
      // The seven of the test before wait too.
      await expectCounted(front.url, 'mcp_tasks', { ...PURCHASE_ORDER, status: 'input_required' }, 8);
      expect(await readMetric(worker.url, 'mcp_task_input_required_seconds_count', PURCHASE_ORDER)).toBe(2);
      const seconds = await readMetric(worker.url, 'mcp_task_input_required_seconds_sum', PURCHASE_ORDER);
      expect(seconds).toBeGreaterThan((2 * waitedMs) / 1_000);
      await worker.end();
    },
    TEST_MS,
  );

  it('counts polls and calls', async () => {
    const polls = await readMetric(front.url, 'mcp_task_polls_total');
    const taskId = await client.create('slow_compute', { seconds: 1 });
    for (let poll = 0; poll < 5; poll += 1) await client.get(taskId);
    await client.call('greet', { name: 'Ada' });
    expect(await readMetric(front.url, 'mcp_task_polls_total')).toBe(polls + 5);
    expect(await readMetric(front.url, 'mcp_tool_calls_total', { tool: 'greet', answer: 'plain' })).toBe(1);
    expect(await readMetric(front.url, 'mcp_tool_calls_total', { tool: 'slow_compute', answer: 'task' })).toBe(1);
    expect(await readMetric(front.url, 'mcp_tool_calls_open')).toBe(0);
  });

  it(
    'counts the calls that are being answered, and the activities that wait for a worker',
    async () => {
      const worker = await product.startWorker();
      await product.erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const patient = await product.startFront({ SYNC_BUDGET_MS: '3000' });
      const calling = client.over(patient.url).create('purchase_order', aCall());
      await eventually(async () => (await readMetric(patient.url, 'mcp_tool_calls_open')) === 1);
      const taskId = await calling;
      expect(await readMetric(patient.url, 'mcp_tool_calls_open')).toBe(0);
      await product.erp.untilHeld('orders-before-accept');
      await kill9(worker);
      await product.erp.release();
      await expectCounted(front.url, 'mcp_task_queue_backlog', { kind: 'activity' }, 1);
      const next = await product.startWorker();
      await client.until(taskId, ['completed'], ENDS_WITHIN_MS);
      await expectCounted(front.url, 'mcp_task_queue_backlog', { kind: 'activity' }, 0);
      await next.end();
    },
    TEST_MS,
  );

  it(
    'and the log of a worker name the type of a workflow task that keeps failing',
    async () => {
      const worker = await product.startWorker();
      const { client: temporal } = await openTemporal();
      const type = 'tool_of_a_later_version';
      const taskQueue = product.env['TASK_QUEUE']!;
      const handle = await temporal.workflow.start(type, { taskQueue, workflowId: `${taskQueue}/unknown`, args: [] });
      atScopeEnd(() => handle.terminate().then(() => undefined));
      await eventually(async () => {
        const failed = 'temporal_workflow_task_execution_failed';
        expect(await readMetric(worker.url, failed, { workflow_type: type })).toBeGreaterThanOrEqual(1);
        expect(worker.output()).toContain(`No task tool is named ${type}: deploy a worker that knows it.`);
      }, SEEN_WITHIN_MS);
      const lines = worker.output().trim().split('\n');
      expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    },
    TEST_MS,
  );
});
