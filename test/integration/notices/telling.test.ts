/** What people and systems are told, through a real database, mail server and receiver. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { webhookSender } from '../../../server/notices/webhook.ts';
import { NoticeOutbox } from '../../../store/notice-outbox.ts';
import { batch } from '../../support/audit-acts.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { about, act, HOUR_MS, open, startFront, untilQuiet, type Front } from '../../support/telling.ts';
import { startWebhookReceiver, WEBHOOK_SECRET, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const TEST_MS = 120_000;
const ORIGIN = 'https://mcp.example';
const MINUTE_MS = 60_000;

let postgres: TestPostgres;
let audit: TestAudit;
let receiver: WebhookReceiver;

beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
}, TEST_MS);
beforeEach(async () => {
  [audit, receiver] = await Promise.all([openAudit(postgres), startWebhookReceiver()]);
}, TEST_MS);

function webhookFront(url = receiver.url): Front {
  return startFront(audit, () => new Map([['webhook', webhookSender({ url, secret: WEBHOOK_SECRET }, ORIGIN)]]));
}

describe('a webhook', () => {
  it('arrives once, signed, though two fronts send', async () => {
    const fronts = [webhookFront(), webhookFront()];
    const tasks = Array.from({ length: 30 }, (_, index) => `t${String(index)}`);
    await Promise.all(tasks.map((taskId) => audit.log.record(batch(taskId, [act('ended', 0)]))));
    await untilQuiet(audit, 'webhook');
    expect(receiver.told().toSorted()).toEqual(tasks.map((taskId) => `task.finished ${taskId}`).toSorted());
    expect(receiver.forged).toEqual([]);
    expect(fronts.flatMap(({ counted }) => counted)).toHaveLength(30);
  });

  it('tells of an approval without its content', async () => {
    webhookFront();
    const approval = open();
    await audit.log.record(batch('t', [act('approval_requested', 0, about('a'))], [approval]));
    await eventually(() => receiver.received.length === 1);
    expect(receiver.received[0]?.body).toEqual({
      type: 'approval.needed',
      taskId: 't',
      tool: 'buy',
      title: 'Order',
      due: new Date(approval.dueAt).toISOString(),
      link: 'https://mcp.example/inbox/approvals/a',
    });
  });

  it('is not sent again for an act that is told again', async () => {
    webhookFront();
    const told = batch('t', [act('ended', 0)]);
    await Promise.all([audit.log.record(told), audit.log.record(told)]);
    await untilQuiet(audit, 'webhook');
    await audit.log.record(told);
    await audit.log.record(batch('u', [act('ended', 0)]));
    await eventually(() => receiver.received.length >= 2);
    await untilQuiet(audit, 'webhook');
    expect(receiver.told()).toEqual(['task.finished t', 'task.finished u']);
  });

  it('waits for a receiver that is away', async () => {
    const port = await freePort();
    const front = webhookFront(new URL(`http://127.0.0.1:${String(port)}/hook`));
    await audit.log.record(batch('t', [act('ended', 0)]));
    await eventually(() => front.counted.includes('webhook failed'));
    const later = await startWebhookReceiver(port);
    await eventually(() => later.received.length === 1, 15_000);
    await untilQuiet(audit, 'webhook');
    expect(front.counted.at(-1)).toBe('webhook sent');
  });

  it('is tried again under the same id when the receiver has refused it', async () => {
    const front = webhookFront();
    const takes = receiver.answer;
    receiver.answer = (response) => {
      receiver.answer = takes;
      response.writeHead(503).end();
    };
    await audit.log.record(batch('t', [act('ended', 0)]));
    await eventually(() => receiver.received.length === 2, 15_000);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await untilQuiet(audit, 'webhook');
    expect(front.counted).toEqual(['webhook failed', 'webhook sent']);
  });

  it('follows no redirect', async () => {
    const elsewhere = await startWebhookReceiver();
    const front = webhookFront();
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url.href }).end();
    await audit.log.record(batch('t', [act('ended', 0)]));
    await eventually(() => front.counted.includes('webhook failed'));
    expect(elsewhere.received).toEqual([]);
  });

  it('is sent again by another front when the first one is lost before it could say so', async () => {
    webhookFront();
    const takes = receiver.answer;
    const lost = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        receiver.answer = takes;
        const ends = sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`.execute(audit.db);
        void ends.then(() => {
          takes(response);
          resolve();
        });
      };
    });
    await audit.log.record(batch('t', [act('ended', 0)]));
    await lost;
    webhookFront();
    await eventually(() => receiver.received.length === 2, 15_000);
    await untilQuiet(audit, 'webhook');
    expect(receiver.told()).toEqual(['task.finished t', 'task.finished t']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('is given up after a day', async () => {
    await audit.log.record(batch('t', [act('ended', 0, { at: Date.now() - 25 * HOUR_MS })]));
    await sql`update notices set made_at = now() - interval '25 hours'`.execute(audit.db);
    const front = webhookFront();
    await untilQuiet(audit, 'webhook');
    expect(front.counted).toEqual(['webhook given_up']);
    expect(front.said).toEqual(['a notice was given up: it could not be sent within a day']);
    expect(receiver.received).toEqual([]);
  });

  it('of a question comes when it has been open for five minutes, and not when it was answered', async () => {
    const asked = (taskId: string, agoMs: number): Promise<void> =>
      audit.log.record(batch(taskId, [act('asked', 0, { about: 'k', at: Date.now() - agoMs })]));
    await asked('open', 6 * MINUTE_MS);
    await asked('new', 4 * MINUTE_MS);
    await asked('answered', 6 * MINUTE_MS);
    await audit.log.record(batch('answered', [act('answered', 1, { about: 'k', data: { keys: ['other', 'k'] } })]));
    await asked('cancelled', 6 * MINUTE_MS);
    await audit.log.record(batch('cancelled', [act('cancel_requested', 1)]));
    webhookFront();
    await untilQuiet(audit, 'webhook');
    expect(receiver.told()).toEqual(['question.open open']);
  });
});

describe('what is done', () => {
  it('is forgotten, and so is what nobody has sent for long', async () => {
    await audit.log.record(batch('old', [act('ended', 0, { at: Date.now() - 50 * HOUR_MS })]));
    await sql`update notices set made_at = now() - interval '49 hours'`.execute(audit.db);
    await audit.log.record(batch('new', [act('ended', 0)]));
    await new NoticeOutbox(audit.db).forget(new Date(Date.now() - 48 * HOUR_MS));
    const left = await audit.db.selectFrom('notices').select('task_id').distinct().execute();
    expect(left).toEqual([{ task_id: 'new' }]);
  });
});
