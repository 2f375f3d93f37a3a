/** Worker and front are killed between every two steps of a reconciliation: each invoice posted once, no answer lost. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { demoInvoices, type DemoInvoice } from '../../demo/invoices/demo-invoice.ts';
import { commaCsv } from '../../demo/invoices/invoice-csv.ts';
import { eventually } from '../support/eventually.ts';
import { approve, fromQueue } from '../support/inbox-decisions.ts';
import { InboxVisitor } from '../support/inbox-visitor.ts';
import { openPair, throughKill } from '../support/killed-pair.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { openProduct, type Product } from '../support/product.ts';
import { seedOrder } from '../support/seed-order.ts';
import { createTaskClient, questionsOf, resultOf, type TaskClient } from '../support/task-client.ts';
import { toldActs } from '../support/told-acts.ts';
import { uploadFile } from '../support/upload-file.ts';

const TEST_MS = 240_000;
const STEP_MS = 60_000;
const ORDER = 'PO-440001';

let databaseUrl: string;
let product: Product;

beforeAll(async () => {
  databaseUrl = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  product = await openProduct({ env: { DATABASE_URL: databaseUrl } });
  await seedOrder(product.erp, ORDER, '4');
}, TEST_MS);

/** One chair of four that were ordered at 189.90. */
function ofChair(number: string, unitPrice: string): DemoInvoice {
  return {
    ...demoInvoices()[0]!,
    number,
    vendor: 'Nordlicht Bürobedarf GmbH',
    orderNumber: ORDER,
    currency: 'EUR',
    lines: [{ description: 'Office chair', quantity: '1', unitPrice, amount: unitPrice }],
    net: unitPrice,
    tax: '0.00',
    total: unitPrice,
  };
}

/** The requester accepts A and rejects B, finance accepts C, and D matches. */
const CSV = commaCsv([ofChair('A', '199.90'), ofChair('B', '199.90'), ofChair('C', '589.90'), ofChair('D', '189.90')]);

/** The requester's word on the invoice at `place`. Its question may be closed: then nothing is sent. */
async function decide(client: TaskClient, taskId: string, place: number, decision: string): Promise<void> {
  const key = Object.keys(questionsOf(await client.get(taskId))).find((name) => name.startsWith(`invoice-${place}-`));
  if (key !== undefined) await client.answer(taskId, { [key]: { action: 'accept', content: { decision } } });
}

async function standing(): Promise<readonly string[]> {
  return (await product.erp.state()).invoices.map(({ vendorInvoice, status }) => `${vendorInvoice} ${status}`);
}

describe('a reconciliation whose worker and front are killed between every two steps', () => {
  it(
    'posts each accepted invoice once, and keeps each answer and decision',
    async () => {
      const { erp } = product;
      const pair = await openPair(product);
      const client = createTaskClient(pair.origin);
      const files = [await uploadFile(pair.origin, 'invoices.csv', 'text/csv', Buffer.from(CSV))];
      const idempotencyKey = 'november';
      const call = (): Promise<string> => client.create('reconcile_invoices', { files }, { idempotencyKey });
      const taskId = await throughKill(pair.replace, call, STEP_MS);

      const asked = questionsOf(await client.until(taskId, ['input_required'], STEP_MS));
      expect(Object.keys(asked)).toHaveLength(2);
      await pair.replace();
      expect(questionsOf(await client.get(taskId))).toEqual(asked);
      await throughKill(pair.replace, () => decide(client, taskId, 1, 'accept'), STEP_MS);
      const isOneLeft = async (): Promise<boolean> => Object.keys(questionsOf(await client.get(taskId))).length === 1;
      await eventually(isOneLeft, STEP_MS);
      await decide(client, taskId, 2, 'reject');

      const fiona = new InboxVisitor(pair.origin);
      await fiona.signInAs('finance-1');
      const page = await fromQueue(fiona, 'An invoice that differs from order or receipt', STEP_MS);
      expect(await standing()).toEqual([]);
      await pair.replace();
      await erp.arm({ at: 'invoices-before-accept', kind: 'hold', times: 1 });
      // The second one that is accepted stands still.
      await erp.arm({ at: 'invoices-after-accept', kind: 'delay', delayMs: 0, times: 1 });
      await erp.arm({ at: 'invoices-after-accept', kind: 'hold', times: 1 });
      const said = await throughKill(pair.replace, () => approve(fiona, page), STEP_MS);
      expect(said).toContain('Approved by Finance 1 at');

      await erp.untilHeld('invoices-before-accept');
      expect(await standing()).toEqual([]);
      await pair.replace();
      await erp.untilHeld('invoices-after-accept');
      expect(await standing()).toEqual(['A posted', 'C posted']);
      await pair.replace();
      const result = resultOf(await client.until(taskId, ['completed'], STEP_MS));
      // What the workers that are dead had sent is taken last.
      await erp.release();
      await eventually(async () => Object.values((await erp.state()).held).every((count) => count === 0));
      expect(result.structuredContent).toMatchObject({
        posted: 3,
        notPosted: 1,
        approvedBy: ['Finance 1'],
        outcomes: [
          { invoice: 1, outcome: 'posted', note: 'Accepted by the requester' },
          { invoice: 2, outcome: 'rejected', note: 'By the requester' },
          { invoice: 3, outcome: 'posted', note: 'Accepted by Finance 1' },
          { invoice: 4, outcome: 'posted' },
        ],
      });
      await pair.replaceFront();
      expect(resultOf(await client.get(taskId))).toEqual(result);
      expect(await standing()).toEqual(['A posted', 'C posted', 'D posted']);
      expect(await toldActs(databaseUrl, taskId)).toEqual([
        'created',
        'file_taken',
        'asked',
        'asked',
        'answered',
        'answered',
        'approval_requested',
        'voted',
        'approval_decided',
        'effect',
        'ended',
      ]);
    },
    TEST_MS,
  );
});
