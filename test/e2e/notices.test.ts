/** Who is told of an order, with real processes: also when a front is killed while it tells. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { startMailCatcher, type MailCatcher } from '../support/mail-catcher.ts';
import { readMetric } from '../support/metrics.ts';
import { openApprovers, type Approvers } from '../support/order-approvers.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { type RoleProcess } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { aCall, kill9, openProduct, type Product } from '../support/product.ts';
import { createTaskClient } from '../support/task-client.ts';
import { startWebhookReceiver, WEBHOOK_SECRET, type WebhookReceiver } from '../support/webhook-receiver.ts';

const TEST_MS = 120_000;
const WITHIN_MS = 30_000;
const LARGE = [{ description: 'Milling machine', quantity: '1', unitPrice: '12000.00' }];
const JUSTIFICATION = 'The old machine cannot be repaired any more.';
const PEOPLE = {
  version: 'test',
  people: [
    { subject: 'paula', name: 'Paula', roles: ['purchasing'], mail: 'paula@example.com' },
    { subject: 'fred', name: 'Fred', roles: ['finance'], mail: 'fred@example.com' },
  ],
};

let product: Product;
let approvers: Approvers;
let receiver: WebhookReceiver;
let mails: MailCatcher;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const approversFile = join(folder, 'approvers.json');
  await writeFile(approversFile, JSON.stringify(PEOPLE));
  [receiver, mails] = await Promise.all([startWebhookReceiver(), startMailCatcher()]);
  product = await openProduct({
    env: {
      DATABASE_URL: await (await startPostgres(postgresKinds[0]!)).emptyDatabase(),
      APPROVERS_FILE: approversFile,
      INBOX_URL: 'https://mcp.example/inbox',
      SMTP_URL: mails.url.href,
      MAIL_FROM: 'tasks@example.com',
      WEBHOOK_SECRET,
    },
  });
  await product.startWorker();
  approvers = await openApprovers(product);
}, TEST_MS);

/** One that tells the receiver at a path of its own. */
function startFront(path: string): Promise<RoleProcess> {
  return product.startFront({ WEBHOOK_URL: new URL(path, receiver.url).href });
}

describe('what is told of an order', () => {
  it(
    'arrives though the front that tells it is killed before it could say so',
    async () => {
      const fronts = await Promise.all(['/one', '/two'].map((path) => startFront(path)));
      const clients = fronts.map(({ url }) => createTaskClient(url));
      const takes = receiver.answer;
      const held = new Promise<void>((resolve) => {
        receiver.answer = () => {
          receiver.answer = takes;
          resolve();
        };
      });
      const taskId = await clients[0]!.create('purchase_order', aCall({ lines: LARGE, justification: JUSTIFICATION }));
      await held;
      const [first] = receiver.received;
      await kill9(fronts[first?.path === '/one' ? 0 : 1]!);
      await eventually(() => receiver.received.length === 2, WITHIN_MS);
      const again = receiver.received[1];
      expect(again).toEqual({ ...first, path: first?.path === '/one' ? '/two' : '/one' });
      expect(again?.body).toMatchObject({
        type: 'approval.needed',
        taskId,
        title: 'Order from Nordlicht Bürobedarf GmbH for 12000.00 EUR',
        link: expect.stringMatching(/^https:\/\/mcp\.example\/inbox\/approvals\/[\w-]{36}$/),
      });
      await eventually(() => mails.caught.length > 0, WITHIN_MS);
      expect([...new Set(mails.caught.flatMap(({ to }) => to))]).toEqual(['paula@example.com']);
      expect(JSON.stringify(mails.caught)).not.toContain(JUSTIFICATION);
    },
    TEST_MS,
  );

  it(
    'goes on to its end, and is counted',
    async () => {
      const front = await startFront('/hook');
      const client = createTaskClient(front.url);
      const taskId = await client.create('purchase_order', aCall({ lines: LARGE, justification: JUSTIFICATION }));
      const found = await approvers.asked(taskId, 'purchasing');
      // One that is decided at once is not told of as needed.
      await eventually(() => receiver.told().includes(`approval.needed ${taskId}`), WITHIN_MS);
      await approvers.decide(found, 'Paula');
      await client.until(taskId, ['completed'], WITHIN_MS);
      const types = ['approval.needed', 'approval.decided', 'task.finished'];
      await eventually(
        () => receiver.told().filter((line) => line.endsWith(taskId)).length === types.length,
        WITHIN_MS,
      );
      expect(receiver.told()).toEqual(expect.arrayContaining(types.map((type) => `${type} ${taskId}`)));
      expect(receiver.forged).toEqual([]);
      const sent = { channel: 'webhook', outcome: 'sent' };
      await eventually(async () => (await readMetric(front.url, 'mcp_notices_total', sent)) >= types.length);
    },
    TEST_MS,
  );
});
