/**
 * An ERP that cannot tell a repeated post from a new one. When the worker is lost with a post under way, nothing is sent
 * again blindly: the order is looked for, then a person is asked, and only their word sends it again.
 */
import { describe, expect, it } from '@jest/globals';
import type { Point } from '../../demo/erp/faults.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, referenceOf, type Product } from '../support/product.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../support/task-client.ts';

/** The attempt is given up, the search looks for twelve seconds, and its worker's lost polls may swallow a try. */
const ASKED_WITHIN_MS = 180_000;
const ENDS_WITHIN_MS = 30_000;
const TEST_MS = 480_000;

interface Lost {
  readonly product: Product;
  readonly client: TaskClient;
  readonly taskId: string;
  readonly first: RoleProcess;
  readonly second: RoleProcess;
}

/** A task whose post stands still at `point`, in the hands of the first of two workers. */
async function heldPost(point: Point): Promise<Lost> {
  const product = await openProduct({ mode: 'search-only' });
  const client = createTaskClient((await product.startFront()).url);
  const first = await product.startWorker();
  // The ERP's mode is read twice. The second time directly precedes the post.
  if (point === 'capabilities') await product.erp.arm({ at: point, kind: 'delay', delayMs: 0, times: 1 });
  await product.erp.arm({ at: point, kind: 'hold' });
  const taskId = await client.create('purchase_order', aCall());
  await product.erp.untilHeld(point);
  return { product, client, taskId, first, second: await product.startWorker() };
}

async function expectQuestion({ client, taskId }: Lost): Promise<void> {
  const asked = await client.until(taskId, ['input_required', 'completed'], ASKED_WITHIN_MS);
  const messages = Object.values(questionsOf(asked)).map(({ params }) => params['message']);
  expect(messages).toEqual([expect.stringContaining(referenceOf(taskId))]);
}

/** The three ways out, at the same time, because most of it is waiting. Each has processes of its own. */
const waysOut = {
  async 'is adopted when the search shows the order, and nobody is asked'() {
    const { client, product, taskId, first } = await heldPost('orders-after-accept');
    await kill9(first);
    await product.erp.release();
    const ended = await client.until(taskId, ['completed', 'input_required'], ASKED_WITHIN_MS);
    expect(resultOf(ended)).toMatchObject({ structuredContent: { taskId, status: 'posted' } });
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  },

  async 'is not sent again when the search shows nothing and the person gives up'() {
    const lost = await heldPost('capabilities');
    const { client, product, taskId, first } = lost;
    await kill9(first);
    await product.erp.release();
    await expectQuestion(lost);
    await client.accept(taskId, { inErp: 'give-up' });
    const result = resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(referenceOf(taskId));
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 0 });
  },

  async 'is sent again on the word of a person, once, though the first worker comes back from a stop'() {
    const lost = await heldPost('capabilities');
    const { client, product, taskId, first, second } = lost;
    first.signal('SIGSTOP');
    await product.erp.release();
    await expectQuestion(lost);
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 0 });
    await client.accept(taskId, { inErp: 'send-again' });
    await client.until(taskId, ['completed'], ASKED_WITHIN_MS);
    first.signal('SIGCONT');
    await second.end();
    // It serves again, and its old attempt has ended by the time it has drained.
    const next = await client.create('purchase_order', aCall());
    await client.until(next, ['completed'], ASKED_WITHIN_MS);
    await first.end();
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  },
};

describe('a post whose outcome was lost with its worker', () => {
  it(
    'is looked for, then put to a person, and sent again on their word only',
    async () => {
      const ends = await Promise.allSettled(Object.values(waysOut).map((run) => run()));
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    },
    TEST_MS,
  );
});
