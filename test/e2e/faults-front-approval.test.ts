/** Fronts that are killed while people decide on an order in the inbox: one order at the ERP, and one audit trail. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { approve, fromQueue } from '../support/inbox-decisions.ts';
import { InboxVisitor } from '../support/inbox-visitor.ts';
import { openPair, throughKill, type KilledPair } from '../support/killed-pair.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { aCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, resultOf } from '../support/task-client.ts';
import { toldActs } from '../support/told-acts.ts';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
const TITLE = 'Order from Nordlicht Bürobedarf GmbH for 60000.00 EUR';

let databaseUrl: string;
let product: Product;
let fronts: KilledPair;

beforeAll(async () => {
  databaseUrl = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  product = await openProduct({ env: { DATABASE_URL: databaseUrl } });
  fronts = await openPair(product);
  await product.startWorker();
}, TEST_MS);

async function approveThroughKill(visitor: InboxVisitor): Promise<string> {
  const page = await fromQueue(visitor, TITLE, STEP_MS);
  return throughKill(fronts.replaceFront, () => approve(visitor, page), STEP_MS);
}

describe('an order whose fronts are killed between every two steps', () => {
  it(
    'is approved by three people, posted once, and told once',
    async () => {
      const lines = [{ description: 'Milling machine', quantity: '2', unitPrice: '30000.00' }];
      const justification = 'The old machine cannot be repaired any more.';
      const taskId = await createTaskClient(fronts.origin).create('purchase_order', aCall({ lines, justification }));
      await fronts.replaceFront();
      // They sign in once: no front keeps a session.
      const [paula, fred, fiona] = ['purchasing-1', 'finance-1', 'finance-2'].map(
        () => new InboxVisitor(fronts.origin),
      );
      for (const [visitor, subject] of [
        [paula!, 'purchasing-1'],
        [fred!, 'finance-1'],
        [fiona!, 'finance-2'],
      ] as const) {
        await visitor.signInAs(subject);
      }
      await fronts.replaceFront();
      expect(await approveThroughKill(paula!)).toContain('Approved by Purchasing 1 at');
      await fronts.replaceFront();
      expect(await approveThroughKill(fred!)).toContain('1 of 2. It waits for others.');
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 0 });
      await product.erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      expect(await approveThroughKill(fiona!)).toContain('Approved by Finance 1 and Finance 2 at');
      await product.erp.untilHeld('orders-before-accept');
      await fronts.replaceFront();
      await product.erp.release();
      const client = createTaskClient(fronts.origin);
      const result = resultOf(await client.until(taskId, ['completed'], STEP_MS));
      expect(result.structuredContent).toMatchObject({ approvedBy: ['Purchasing 1', 'Finance 1', 'Finance 2'] });
      await fronts.replaceFront();
      expect(resultOf(await createTaskClient(fronts.origin).get(taskId))).toEqual(result);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
      expect(await toldActs(databaseUrl, taskId)).toEqual([
        'created',
        'approval_requested',
        'voted',
        'approval_decided',
        'approval_requested',
        'voted',
        'voted',
        'approval_decided',
        'effect',
        'ended',
      ]);
    },
    TEST_MS,
  );
});
