/**
 * C21: the number zoo, written as raw JSON. A number is any finite one within its bounds, an integer may be written 1.0, a
 * text is never turned into a number, and money is counted in decimals.
 *
 * Amounts of every currency and their rounding: test/unit/activities/money.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCall, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer } from './support/case-server.ts';
import { verdictOn, type Verdict } from './support/raw-answer.ts';

const ENDS_WITHIN_MS = 20_000;

describe('a number in an answer', () => {
  let origin = '';
  let client: TaskClient;

  beforeAll(async () => {
    const server = await openCaseServer();
    const [front] = await Promise.all([server.startFront(), server.startWorker()]);
    origin = front.url;
    client = createTaskClient(origin);
  }, 60_000);

  const verdict = (content: string): Promise<Verdict> =>
    verdictOn(client, origin, 'numbers', `{"action":"accept","content":${content}}`);

  it.each([
    ['{"amount":12.5}', { amount: 12.5 }],
    ['{"amount":5000}', { amount: 5_000 }],
    // What a double holds of this is 5000.
    ['{"amount":5000.0000000000001}', { amount: 5_000 }],
    ['{"amount":5e3}', { amount: 5_000 }],
    ['{"qty":1.0}', { qty: 1 }],
    ['{"qty":3,"amount":0.01}', { amount: 0.01, qty: 3 }],
  ])('is taken: %s', async (json, content) => {
    expect(await verdict(json)).toEqual({ taken: { action: 'accept', content } });
  });

  it.each([
    ['{"amount":"12.50"}', 'amount must be a finite number'],
    ['{"amount":1e400}', 'amount must be a finite number'],
    ['{"amount":-1e400}', 'amount must be a finite number'],
    ['{"amount":null}', 'amount must be a finite number'],
    ['{"amount":[1]}', 'amount must be a finite number'],
    ['{"amount":true}', 'amount must be a finite number'],
    ['{"amount":-0}', 'amount must be at least 0.01'],
    ['{"amount":5000.01}', 'amount must be at most 5000'],
    ['{"amount":9007199254740993}', 'amount must be at most 5000'],
    ['{"qty":2.5}', 'qty must be a whole number'],
    ['{"qty":"3"}', 'qty must be a whole number'],
    ['{"qty":"42xyz"}', 'qty must be a whole number'],
    ['{"qty":9007199254740993}', 'qty must be a whole number'],
    ['{"qty":1e400}', 'qty must be a whole number'],
    ['{"qty":0}', 'qty must be at least 1'],
  ])('is refused and asked again: %s', async (json, reason) => {
    expect(await verdict(json)).toEqual({ askedAgain: `The last answer could not be used: ${reason}. Fill this in.` });
  });
});

describe('money', () => {
  let product: Product;
  let client: TaskClient;

  beforeAll(async () => {
    product = await openProduct();
    const [front] = await Promise.all([product.startFront(), product.startWorker()]);
    client = createTaskClient(front.url);
  }, 60_000);

  const aLine = (unitPrice: unknown, quantity: unknown = '1'): object => ({ description: 'Clip', quantity, unitPrice });

  it('is added as decimals: 0.1 and 0.2 are a total of 0.3, and no other', async () => {
    const lines = [aLine('0.1'), aLine('0.2')];
    const taskId = await client.create('purchase_order', aCall({ lines, total: '0.3' }));
    const result = resultOf(await client.until(taskId, ['completed'], ENDS_WITHIN_MS));
    expect(result.structuredContent).toMatchObject({ total: '0.30', currency: 'EUR' });
    for (const total of ['0.31', '0.3000000000000000']) {
      const answer = await client.call('purchase_order', aCall({ lines, total }));
      const refused =
        'result' in answer ? answer.result : resultOf(await client.until(answer.taskId, ['completed'], ENDS_WITHIN_MS));
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/total/)]);
    }
    expect((await product.erp.state()).orders).toHaveLength(1);
  });

  it.each([12.5, '1e3', '0x10', '12,50', '-1', '+1', ' 1', 'Infinity', '١', [1], null])(
    'is a decimal as text and nothing else: %j orders nothing',
    async (unitPrice) => {
      const before = (await product.erp.state()).orders.length;
      const answer = await client.call('purchase_order', aCall({ lines: [aLine(unitPrice)] }));
      const result = 'result' in answer ? answer.result : undefined;
      expect([result?.isError, result && textOf(result)]).toEqual([
        true,
        expect.stringMatching(/lines\[0\]\.unitPrice/),
      ]);
      expect((await product.erp.state()).orders).toHaveLength(before);
    },
  );
});
