import { beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { createErpActivities } from '../../activities/erp.ts';
import type { Activities } from '../../activities/index.ts';
import { evaluatePolicy, readPolicy } from '../../activities/purchase-policy.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { eventually } from '../support/eventually.ts';
import { startErp, type TestErp } from '../support/erp.ts';
import { freePort } from '../support/free-port.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';
import type { Mode } from '../../demo/erp/erp-server.ts';

/** The post, the search for it and a retry take their time. */
const PATIENCE_MS = 50_000;

let bench: TaskBench;
let erpUrl = '';
// One bench, and an ERP for each test: the activities go to the ERP of the test that runs.
const erpNow = (): ReturnType<typeof createErpActivities> => createErpActivities({ erpUrl, giveUpAfterMs: 2_000 });

beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)), {
    checkPolicy: async ({ facts, today }: Parameters<Activities['checkPolicy']>[0]) =>
      evaluatePolicy(await readPolicy('policy/purchase-policy.json'), facts, today),
    readErpMode: () => erpNow().readErpMode(),
    postOrder: (args: Parameters<Activities['postOrder']>[0]) => erpNow().postOrder(args),
    findOrder: (args: Parameters<Activities['findOrder']>[0]) => erpNow().findOrder(args),
    readOrder: (args: Parameters<Activities['readOrder']>[0]) => erpNow().readOrder(args),
    voidOrder: (args: Parameters<Activities['voidOrder']>[0]) => erpNow().voidOrder(args),
  });
  await bench.startWorker();
}, PATIENCE_MS);

async function erpIn(mode: Mode): Promise<TestErp> {
  const erp = await startErp({ mode });
  erpUrl = erp.url;
  return erp;
}

function aCall(overrides: JsonObject = {}): JsonObject {
  const lines = [{ description: 'Office chair', quantity: '4', unitPrice: '189.90' }];
  return { vendor: 'Nordlicht Bürobedarf GmbH', currency: 'EUR', costCentre: '1100', lines, ...overrides };
}

async function create(overrides: JsonObject = {}, features = { elicitationForm: true }): Promise<string> {
  return bench.create('purchase_order', aCall(overrides), { features, ttlMs: 600_000, maxTtlMs: 600_000 });
}

function until(taskId: string, ...statuses: DetailedTask['status'][]): Promise<DetailedTask> {
  return eventually(async () => {
    const task = await bench.get(taskId);
    if (!statuses.includes(task.status)) throw new Error(`It is ${task.status}: ${task.statusMessage ?? ''}`);
    return task;
  }, PATIENCE_MS);
}

async function answer(task: DetailedTask, content: JsonObject): Promise<void> {
  await bench.store.deliver(bench.caller, task.taskId, { [openKeys(task)[0]!]: accept(content) });
}

const cancel = (taskId: string): Promise<void> => bench.store.cancel(bench.caller, taskId, 'asked by the test');

function textOf(task: DetailedTask): string {
  if (task.status !== 'completed') throw new Error(`It is ${task.status}.`);
  const [block] = task.result.content;
  return block?.type === 'text' ? block.text : '';
}

async function statusesIn(erp: TestErp): Promise<string[]> {
  return (await erp.state()).orders.map(({ status }) => status);
}

describe('purchase_order', () => {
  it('posts the order and gives its number, structured content and a PDF', async () => {
    const erp = await erpIn('idempotency-key');
    const taskId = await create();
    const task = await until(taskId, 'completed');
    const [order] = (await erp.state()).orders;
    expect(order).toMatchObject({ reference: `${taskId}:post-order`, status: 'posted', total: '759.60' });
    const name = `purchase-order-${order!.number}.pdf`;
    expect(task).toMatchObject({
      result: {
        structuredContent: {
          orderNumber: order!.number,
          status: 'posted',
          total: '759.60',
          costCentre: '1100',
          taskId,
        },
        content: [{ type: 'text' }, { type: 'text' }, { type: 'resource_link', name, uri: `task://${taskId}/${name}` }],
      },
    });
    const file = await bench.blobs.read({ caller: bench.caller.principal, taskId }, name);
    expect(Buffer.from(file!.bytes).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('asks once for all that the policy misses, and says that an order above the approval limit is a draft', async () => {
    const erp = await erpIn('unique-reference');
    const lines = [{ description: 'Milling machine', quantity: '1', unitPrice: '45900.00' }];
    const asked = await until(await create({ lines, costCentre: '9999' }), 'input_required');
    expect(asked.statusMessage).toContain('needs a cost centre from the list and a justification');
    await answer(asked, { costCentre: '3100', justification: 'The old machine cannot be repaired.' });
    const task = await until(asked.taskId, 'completed');
    expect(textOf(task)).toContain('is a draft');
    expect((await erp.state()).orders).toMatchObject([{ status: 'draft', costCentre: '3100' }]);
  });

  it('orders nothing when the question is declined, and names the arguments', async () => {
    const erp = await erpIn('idempotency-key');
    const asked = await until(await create({ costCentre: '9999' }), 'input_required');
    await bench.store.deliver(bench.caller, asked.taskId, { [openKeys(asked)[0]!]: { action: 'decline' } });
    const task = await until(asked.taskId, 'completed');
    expect(textOf(task)).toBe('Nothing was ordered: the question was not answered. Call again with costCentre.');
    expect(await statusesIn(erp)).toEqual([]);
  });

  it('fails clearly when the ERP is dead', async () => {
    erpUrl = `http://127.0.0.1:${await freePort()}`;
    const task = await until(await create(), 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
    expect(textOf(task)).toMatch(/^The ERP could not be reached; nothing was ordered/);
  });

  it.each(['idempotency-key', 'unique-reference', 'search-only'] as const)(
    'voids the order of a task that is cancelled while the post is in flight, with %s',
    async (mode) => {
      const erp = await erpIn(mode);
      await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const taskId = await create();
      await erp.untilHeld('orders-after-accept');
      await cancel(taskId);
      expect((await bench.get(taskId)).status).toBe('working');
      await erp.release();
      await until(taskId, 'cancelled');
      expect(await statusesIn(erp)).toEqual(['voided']);
    },
    PATIENCE_MS,
  );
});

describe('purchase_order on an ERP that can only be searched', () => {
  it(
    'adopts the order that shows after its reply was lost',
    async () => {
      const erp = await erpIn('search-only');
      await erp.arm({ at: 'orders-after-accept', kind: 'drop' });
      await until(await create(), 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'asks a person when none shows, checks the number they give, and takes the order they found',
    async () => {
      const erp = await erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const asked = await until(await create(), 'input_required');
      expect(asked.statusMessage).toContain(`with reference ${asked.taskId}:post-order in the ERP?`);
      await erp.release();
      await answer(asked, { inErp: 'found', orderNumber: 'PO-1' });
      const again = await eventually(async () => {
        const task = await until(asked.taskId, 'input_required');
        return openKeys(task)[0] !== openKeys(asked)[0] && task;
      }, PATIENCE_MS);
      expect(again.statusMessage).toContain('no order with this number under this reference');
      await answer(again, { inErp: 'found', orderNumber: (await erp.state()).orders[0]!.number });
      await until(asked.taskId, 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'sends it again on the word of a person only',
    async () => {
      const erp = await erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'drop', times: 1 });
      const asked = await until(await create(), 'input_required');
      expect(await statusesIn(erp)).toEqual([]);
      await answer(asked, { inErp: 'send-again' });
      await until(asked.taskId, 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'voids an order that shows up after the task was cancelled at the question',
    async () => {
      const erp = await erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const asked = await until(await create(), 'input_required');
      await cancel(asked.taskId);
      await erp.release();
      await until(asked.taskId, 'cancelled');
      expect(await statusesIn(erp)).toEqual(['voided']);
    },
    PATIENCE_MS,
  );

  it(
    'tells a caller that cannot be asked what to look for, and is not called cancelled',
    async () => {
      const erp = await erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'drop' });
      const taskId = await create({}, { elicitationForm: false });
      const task = await until(taskId, 'completed');
      expect(task).toMatchObject({ result: { isError: true } });
      expect(textOf(task)).toContain(`whether the ERP took the order with reference ${taskId}:post-order`);
    },
    2 * PATIENCE_MS,
  );
});
