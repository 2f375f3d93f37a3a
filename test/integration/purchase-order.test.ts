import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { decide, decisionOn, waitForApproval } from '../support/approver.ts';
import { eventually } from '../support/eventually.ts';
import { outputFault } from '../support/fits-output.ts';
import { freePort } from '../support/free-port.ts';
import { verifies } from '../support/verifies.ts';
import { accept, openKeys } from '../support/task-bench.ts';
import { openOrderBench, PATIENCE_MS, statusesIn, textOf, type OrderBench } from './order-bench.ts';

let bench: OrderBench;

beforeAll(async () => {
  bench = await openOrderBench();
}, PATIENCE_MS);

async function answer(task: DetailedTask, content: JsonObject): Promise<void> {
  await bench.store.deliver(bench.caller, task.taskId, { [openKeys(task)[0]!]: accept(content) });
}

describe('purchase_order', () => {
  it('posts the order and gives its number, structured content and a PDF', async () => {
    verifies('tools.schema');
    const erp = await bench.erpIn('idempotency-key');
    const taskId = await bench.order();
    const task = await bench.until(taskId, 'completed');
    const [order] = (await erp.state()).orders;
    expect(order).toMatchObject({ reference: `${taskId}:post-order`, status: 'posted', total: '759.60' });
    expect(outputFault('purchase_order', task.status === 'completed' && task.result.structuredContent)).toBeUndefined();
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

  it('asks once for all that the policy misses, and has other people approve what is above the limit', async () => {
    const erp = await bench.erpIn('unique-reference');
    const lines = [{ description: 'Milling machine', quantity: '1', unitPrice: '45900.00' }];
    const asked = await bench.until(await bench.order({ lines, costCentre: '9999' }), 'input_required');
    expect(asked.statusMessage).toContain('needs a cost centre from the list and a justification');
    await answer(asked, { costCentre: '3100', justification: 'The old machine cannot be repaired.' });
    const desk = new TemporalApprovalDesk(bench.service);
    const found = await waitForApproval(desk, bench.workflowId(asked.taskId));
    expect(await statusesIn(erp)).toEqual([]);
    await decide(desk, found, decisionOn(found, 'Paula', { roles: ['purchasing'] }));
    const task = await bench.until(asked.taskId, 'completed');
    expect(textOf(task)).toContain('approved by Paula');
    expect((await erp.state()).orders).toMatchObject([{ status: 'posted', costCentre: '3100' }]);
  });

  it('shows an approver all lines of a long order in a PDF, and binds the decision to it', async () => {
    await bench.erpIn('idempotency-key');
    const lines = Array.from({ length: 600 }, () => ({ description: 'Screws', quantity: '100', unitPrice: '0.20' }));
    const taskId = await bench.order({ lines, justification: 'For the production line of the year.' });
    const desk = new TemporalApprovalDesk(bench.service);
    const found = await waitForApproval(desk, bench.workflowId(taskId));
    const { details, documents } = found.open[0]!;
    const file = await bench.blobs.read({ caller: bench.caller.principal, taskId }, 'purchase-request-1.pdf');
    expect(documents).toEqual([`task://${taskId}/purchase-request-1.pdf`]);
    expect(details['More lines']).toContain(createHash('sha256').update(file!.bytes).digest('hex'));
    await bench.cancel(taskId);
    await bench.until(taskId, 'cancelled');
  });

  it('orders nothing when the question is declined, and names the arguments', async () => {
    const erp = await bench.erpIn('idempotency-key');
    const asked = await bench.until(await bench.order({ costCentre: '9999' }), 'input_required');
    await bench.store.deliver(bench.caller, asked.taskId, { [openKeys(asked)[0]!]: { action: 'decline' } });
    const task = await bench.until(asked.taskId, 'completed');
    expect(textOf(task)).toBe('Nothing was ordered: the question was not answered. Call again with costCentre.');
    expect(await statusesIn(erp)).toEqual([]);
  });

  it.each([
    ['is dead', async () => bench.goTo(`http://127.0.0.1:${await freePort()}`)],
    [
      'answers 503 for good',
      async () => (await bench.erpIn('idempotency-key')).arm({ at: 'capabilities', kind: 'unavailable', times: 1_000 }),
    ],
  ])('fails clearly when the ERP %s', async (_how, breakErp) => {
    await breakErp();
    const task = await bench.until(await bench.order(), 'completed');
    expect(task).toMatchObject({ result: { isError: true } });
    expect(textOf(task)).toMatch(/^The ERP could not be reached; nothing was ordered/);
  });

  it.each(['idempotency-key', 'unique-reference', 'search-only'] as const)(
    'voids the order of a task that is cancelled while the post is in flight, with %s',
    async (mode) => {
      const erp = await bench.erpIn(mode);
      await erp.arm({ at: 'orders-after-accept', kind: 'hold' });
      const taskId = await bench.order();
      await erp.untilHeld('orders-after-accept');
      await bench.cancel(taskId);
      expect((await bench.get(taskId)).status).toBe('working');
      await erp.release();
      await bench.until(taskId, 'cancelled');
      expect(await statusesIn(erp)).toEqual(['voided']);
    },
    PATIENCE_MS,
  );
});

describe('purchase_order on an ERP that can only be searched', () => {
  it(
    'adopts the order that shows after its reply was lost',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-after-accept', kind: 'drop' });
      await bench.until(await bench.order(), 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'asks a person when none shows, checks the number they give, and takes the order they found',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const asked = await bench.until(await bench.order(), 'input_required');
      expect(asked.statusMessage).toContain(`with reference ${asked.taskId}:post-order in the ERP?`);
      await erp.release();
      await answer(asked, { inErp: 'found', orderNumber: 'PO-1' });
      const again = await eventually(async () => {
        const task = await bench.until(asked.taskId, 'input_required');
        return openKeys(task)[0] !== openKeys(asked)[0] && task;
      }, PATIENCE_MS);
      expect(again.statusMessage).toContain('no order with this number under this reference');
      await answer(again, { inErp: 'found', orderNumber: (await erp.state()).orders[0]!.number });
      await bench.until(asked.taskId, 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'sends it again on the word of a person only',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'drop', times: 1 });
      const asked = await bench.until(await bench.order(), 'input_required');
      expect(await statusesIn(erp)).toEqual([]);
      await answer(asked, { inErp: 'send-again' });
      await bench.until(asked.taskId, 'completed');
      expect(await statusesIn(erp)).toEqual(['posted']);
    },
    PATIENCE_MS,
  );

  it(
    'voids an order that shows up after the task was cancelled at the question',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      const asked = await bench.until(await bench.order(), 'input_required');
      await bench.cancel(asked.taskId);
      await erp.release();
      await bench.until(asked.taskId, 'cancelled');
      expect(await statusesIn(erp)).toEqual(['voided']);
    },
    PATIENCE_MS,
  );

  it(
    'tells a caller that cannot be asked what to look for, and is not called cancelled',
    async () => {
      const erp = await bench.erpIn('search-only');
      await erp.arm({ at: 'orders-before-accept', kind: 'drop' });
      const taskId = await bench.order({}, { features: { elicitationForm: false } });
      const task = await bench.until(taskId, 'completed');
      expect(task).toMatchObject({ result: { isError: true } });
      expect(textOf(task)).toContain(`whether the ERP took the order with reference ${taskId}:post-order`);
    },
    2 * PATIENCE_MS,
  );
});
