/** Orders that other people have to approve, with real processes: nothing is ordered before, and one order after. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decisionOn, person } from '../support/approver.ts';
import { eventually } from '../support/eventually.ts';
import { openApprovers, type Approvers } from '../support/order-approvers.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../support/task-client.ts';

const ENDS_WITHIN_MS = 20_000;
const TEST_MS = 90_000;
const NONE = { live: 0, voided: 0 };
const ONE = { live: 1, voided: 0 };

let product: Product;
let client: TaskClient;
let approvers: Approvers;
let worker: RoleProcess;

beforeAll(async () => {
  product = await openProduct();
  const [front, started] = await Promise.all([product.startFront(), product.startWorker()]);
  worker = started;
  client = createTaskClient(front.url);
  approvers = await openApprovers(product);
}, TEST_MS);

async function replaceWorker(): Promise<void> {
  await kill9(worker);
  worker = await product.startWorker();
}

/** Purchasing has to approve it. */
const LARGE = [{ description: 'Milling machine', quantity: '1', unitPrice: '12000.00' }];
/** And two people in finance. */
const VERY_LARGE = [{ description: 'Milling machine', quantity: '2', unitPrice: '30000.00' }];
const JUSTIFICATION = 'The old machine cannot be repaired any more.';

function order(overrides: object = {}): Promise<string> {
  return client.create('purchase_order', aCall({ lines: LARGE, justification: JUSTIFICATION, ...overrides }));
}

async function ended(taskId: string): Promise<ReturnType<typeof resultOf>> {
  return resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
}

describe('an order above the limits', () => {
  it('is posted once all have approved it, and says who they are', async () => {
    const taskId = await order({ lines: VERY_LARGE });
    const first = await approvers.asked(taskId, 'purchasing');
    expect(first.open).toHaveLength(1);
    expect(first.open[0]).toMatchObject({
      title: 'Order from Nordlicht Bürobedarf GmbH for 60000.00 EUR',
      amount: '60000.00 EUR',
      reason: 'Somebody in purchasing approves large orders (above 10000.00 EUR)',
      quorum: 1,
      details: { 'Line 1': '2 × 30000.00 = 60000.00 EUR: Milling machine', Justification: JUSTIFICATION },
    });
    expect((await client.get(taskId)).statusMessage).toMatch(/^Waiting for purchasing, due /);
    const requester = { ...person('me'), principals: [first.requester] };
    expect(await approvers.decide(first, 'me', { person: requester })).toMatchObject({ refusal: { code: 'own' } });
    await approvers.decide(first, 'Paula');
    const second = await approvers.asked(taskId, 'finance');
    expect(second.open[0]).toMatchObject({ quorum: 2, details: { 'Approved before by': 'Paula' } });
    await approvers.decide(second, 'Fred');
    await eventually(async () => (await client.get(taskId)).statusMessage?.endsWith(', 1 of 2') === true);
    expect(await approvers.decide(second, 'Fred')).toMatchObject({ refusal: { code: 'voted' } });
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);
    await approvers.decide(second, 'Fiona');
    const result = await ended(taskId);
    expect(result.structuredContent).toMatchObject({ status: 'posted', approvedBy: ['Paula', 'Fred', 'Fiona'] });
    expect(textOf(result)).toMatch(/^Order PO-\d+ is posted: .+; approved by Paula and Fred and Fiona\.\n/);
    expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
  });

  it('is not ordered when one rejects it, and the caller reads who and why', async () => {
    const taskId = await order({ lines: VERY_LARGE });
    await approvers.decide(await approvers.asked(taskId, 'purchasing'), 'Paula');
    const found = await approvers.asked(taskId, 'finance');
    await approvers.decide(found, 'Fred');
    await approvers.decide(found, 'Fiona', { choice: 'reject', option: 'too_expensive', reason: 'Rent one.' });
    const result = await ended(taskId);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Nothing was ordered: Fiona (asked as finance) rejected the order to Nordlicht Bürobedarf GmbH for 60000.00 EUR.\n' +
        'Reason: Rent one.',
    );
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);
  });

  it('is not ordered when nobody decides in time', async () => {
    const taskId = await order({ decideWithinSeconds: 12 });
    const found = await approvers.asked(taskId, 'purchasing');
    const result = await ended(taskId);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^Nothing was ordered: .+ needed an approval by purchasing, and it was not decided by /,
    );
    expect(await approvers.decide(found, 'Paula')).toMatchObject({
      refusal: { code: 'decided', decided: { result: 'expired' } },
    });
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);
  });

  it('is not ordered when its caller cancels while it waits', async () => {
    const taskId = await order();
    const found = await approvers.asked(taskId, 'purchasing');
    await client.cancel(taskId);
    await client.until(taskId, ['cancelled'], ENDS_WITHIN_MS);
    expect(await approvers.decide(found, 'Paula')).toMatchObject({ refusal: { code: 'decided' } });
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);
  });

  it('asks its caller nothing and nobody else under the limits', async () => {
    const taskId = await client.create('purchase_order', aCall());
    expect((await ended(taskId)).structuredContent).toMatchObject({ status: 'posted', approvedBy: [] });
  });
});

describe('changes that an approver asks for', () => {
  const ASKED = { choice: 'request_changes', reason: 'Which machine is replaced?' } as const;

  async function untilAsked(taskId: string): Promise<string> {
    const task = await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    return JSON.stringify(questionsOf(task));
  }

  it('are put to the caller, and the new content is approved anew: a decision on the old one counts for nothing', async () => {
    const taskId = await order({ lines: VERY_LARGE });
    await approvers.decide(await approvers.asked(taskId, 'purchasing'), 'Paula');
    const old = await approvers.asked(taskId, 'finance');
    await approvers.decide(old, 'Fred', ASKED);
    expect(await untilAsked(taskId)).toContain('are asked for by Fred: Which machine is replaced?');
    const answer = { answer: 'send-again', justification: 'It replaces number 4, which is beyond repair.' };
    await client.accept(taskId, answer);

    const again = await approvers.asked(taskId, 'purchasing');
    expect(again.open[0]?.details).toMatchObject({
      Justification: answer.justification,
      'Changes asked for before': 'Fred: Which machine is replaced?',
    });
    expect(again.open[0]?.details['Approved before by']).toBeUndefined();
    expect(await approvers.decide(old, 'Fiona')).toMatchObject({
      refusal: { code: 'decided', decided: { result: 'changes_requested', by: ['Fred'] } },
    });
    // The id of the new one beside what was shown of the old one.
    const { digest } = decisionOn(old, 'Paula');
    expect(await approvers.decide(again, 'Paula', { digest })).toMatchObject({ refusal: { code: 'changed' } });
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);

    await approvers.decide(again, 'Paula');
    const last = await approvers.asked(taskId, 'finance');
    await approvers.decide(last, 'Fred');
    await approvers.decide(last, 'Fiona');
    expect((await ended(taskId)).structuredContent).toMatchObject({ approvedBy: ['Paula', 'Fred', 'Fiona'] });
    const { orders } = await product.erp.state();
    expect(orders.filter(({ reference }) => reference.startsWith(taskId))).toMatchObject([
      { justification: answer.justification, status: 'posted' },
    ]);
  });

  it('are asked for again when nothing was changed, and the caller may withdraw', async () => {
    const taskId = await order();
    await approvers.decide(await approvers.asked(taskId, 'purchasing'), 'Paula', ASKED);
    await untilAsked(taskId);
    await client.accept(taskId, { answer: 'send-again', justification: JUSTIFICATION });
    await eventually(async () => (await untilAsked(taskId)).includes('Nothing was changed. '), ENDS_WITHIN_MS);
    await client.accept(taskId, { answer: 'withdraw' });
    const result = await ended(taskId);
    expect([result.isError, textOf(result)]).toEqual([
      true,
      'Nothing was ordered. Changes are asked for by Paula: Which machine is replaced?\nThe order was withdrawn.',
    ]);
    expect(await ordersOf(product.erp, taskId)).toEqual(NONE);
  });

  it('are told to a caller who cannot be asked', async () => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const call = aCall({ lines: LARGE, justification: JUSTIFICATION });
    const taskId = await client.create('purchase_order', call, { capabilities });
    await approvers.decide(await approvers.asked(taskId, 'purchasing'), 'Paula', ASKED);
    const result = await ended(taskId);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Nothing was ordered\. .+Which machine is replaced\?\nMake them and call again/);
  });
});

describe('a worker that is killed', () => {
  // What a test starts ends with it.
  beforeAll(() => kill9(worker));
  beforeEach(async () => {
    worker = await product.startWorker();
  });

  it(
    'while an order waits for its approvers loses nothing: it is approved and posted once',
    async () => {
      const taskId = await order({ lines: VERY_LARGE });
      const first = await approvers.asked(taskId, 'purchasing');
      await replaceWorker();
      await approvers.decide(first, 'Paula');
      const second = await approvers.asked(taskId, 'finance');
      await approvers.decide(second, 'Fred');
      await replaceWorker();
      await approvers.decide(second, 'Fiona');
      expect((await ended(taskId)).structuredContent).toMatchObject({ approvedBy: ['Paula', 'Fred', 'Fiona'] });
      expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
    },
    TEST_MS,
  );

  it.each(['capabilities', 'orders-before-accept', 'orders-after-accept'] as const)(
    'between the approval and the end of the post, at %s, leaves one order',
    async (point) => {
      const taskId = await order();
      const found = await approvers.asked(taskId, 'purchasing');
      await product.erp.arm({ at: point, kind: 'hold' });
      await approvers.decide(found, 'Paula');
      await product.erp.untilHeld(point);
      await replaceWorker();
      await product.erp.release();
      expect((await ended(taskId)).structuredContent).toMatchObject({ approvedBy: ['Paula'] });
      expect(await ordersOf(product.erp, taskId)).toEqual(ONE);
    },
    TEST_MS,
  );
});
