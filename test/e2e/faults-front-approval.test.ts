/** Fronts that are killed while people decide on an order in the inbox: one order at the ERP, and one audit trail. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { formOf, InboxVisitor, wordsOf, type InboxPage } from '../support/inbox-visitor.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, kill9, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, resultOf } from '../support/task-client.ts';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
const TITLE = 'Order from Nordlicht Bürobedarf GmbH for 60000.00 EUR';

let databaseUrl: string;
let product: Product;
let front: RoleProcess;

beforeAll(async () => {
  databaseUrl = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  product = await openProduct({ env: { DATABASE_URL: databaseUrl } });
  front = await product.startFront();
  await product.startWorker();
}, TEST_MS);

/** Where the next one listens, so do its cookies and links lead on. */
async function replaceFront(): Promise<void> {
  const port = String(front.port);
  await kill9(front);
  front = await product.startFront({ PORT: port });
}

async function opened(visitor: InboxVisitor): Promise<InboxPage> {
  const address = await eventually(async () => {
    const { text } = await visitor.get('/inbox');
    return new RegExp(`href="(/inbox/approvals/[^"]+)">${TITLE}<`).exec(text)?.[1] ?? false;
  }, STEP_MS);
  return visitor.get(address);
}

/** The front dies somewhere between taking the form and answering; the same form goes to the next one. */
async function approveThroughKill(visitor: InboxVisitor): Promise<string> {
  const page = await opened(visitor);
  const { action, fields } = formOf(page, '/decide', { choice: 'approve' });
  const lost = visitor.post(action, fields).catch(() => undefined);
  await replaceFront();
  await lost;
  const answer = await eventually(async () => {
    const sent = await visitor.post(action, fields);
    return !wordsOf(sent).includes('not yet confirmed') && !wordsOf(sent).includes('Not sent yet') && sent;
  }, STEP_MS);
  return wordsOf(answer);
}

async function actsOf(taskId: string): Promise<readonly string[]> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const told = 'select type from audit where task_id = $1 and seq is not null order by seq';
  const { rows } = await owner.query<{ type: string }>(told, [taskId]);
  await owner.end();
  return rows.map(({ type }) => type);
}

describe('an order whose fronts are killed between every two steps', () => {
  it(
    'is approved by three people, posted once, and told once',
    async () => {
      const lines = [{ description: 'Milling machine', quantity: '2', unitPrice: '30000.00' }];
      const justification = 'The old machine cannot be repaired any more.';
      const taskId = await createTaskClient(front.url).create('purchase_order', aCall({ lines, justification }));
      await replaceFront();
      // They sign in once: no front keeps a session.
      const [paula, fred, fiona] = ['purchasing-1', 'finance-1', 'finance-2'].map(() => new InboxVisitor(front.url));
      for (const [visitor, subject] of [
        [paula!, 'purchasing-1'],
        [fred!, 'finance-1'],
        [fiona!, 'finance-2'],
      ] as const) {
        await visitor.signInAs(subject);
      }
      await replaceFront();
      expect(await approveThroughKill(paula!)).toContain('Approved by Purchasing 1 at');
      await replaceFront();
      expect(await approveThroughKill(fred!)).toContain('1 of 2. It waits for others.');
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 0, voided: 0 });
      await product.erp.arm({ at: 'orders-before-accept', kind: 'hold' });
      expect(await approveThroughKill(fiona!)).toContain('Approved by Finance 1 and Finance 2 at');
      await product.erp.untilHeld('orders-before-accept');
      await replaceFront();
      await product.erp.release();
      const client = createTaskClient(front.url);
      const result = resultOf(await client.until(taskId, ['completed'], STEP_MS));
      expect(result.structuredContent).toMatchObject({ approvedBy: ['Purchasing 1', 'Finance 1', 'Finance 2'] });
      await replaceFront();
      expect(resultOf(await createTaskClient(front.url).get(taskId))).toEqual(result);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
      expect(await actsOf(taskId)).toEqual([
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
