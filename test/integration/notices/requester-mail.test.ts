/** What whoever has called is told by mail, through a real database and a real mail server. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Act } from '../../../protocol/act.ts';
import type { ApprovalCase } from '../../../server/approvals/approval-desk.ts';
import { mailSender } from '../../../server/notices/mail.ts';
import { batch } from '../../support/audit-acts.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { startMailCatcher, type MailCatcher } from '../../support/mail-catcher.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { act, HOUR_MS, startFront, untilQuiet, type Front } from '../../support/telling.ts';

const TEST_MS = 120_000;
const ORIGIN = 'https://mcp.example';
const TASK_PAGE = `${ORIGIN}/inbox/tasks/t`;
const ADA = { subject: 'ada' };

let postgres: TestPostgres;
let audit: TestAudit;
let mails: MailCatcher;

beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
}, TEST_MS);
beforeEach(async () => {
  audit = await openAudit(postgres);
  mails = await startMailCatcher();
}, TEST_MS);

function startMail(task?: () => ApprovalCase | undefined): Front {
  const config = { smtpUrl: mails.url, from: 'tasks@example.com' };
  const approvers = async () => [
    { subject: 'ada', name: 'Ada', roles: [], mail: 'ada@example.com' },
    { subject: 'oda', name: 'Oda', roles: [], organisation: 'one', mail: 'oda@example.com' },
    { subject: 'fred', name: 'Fred', roles: ['finance'], mail: 'fred@example.com' },
  ];
  const outside = { desk: { read: async () => undefined }, links: { addressOf: () => undefined } };
  return startFront(
    audit,
    (outbox) => {
      const sender = mailSender({ config, inboxOrigin: ORIGIN, approvers, signedOver: undefined, outbox, ...outside });
      return new Map([['mail', sender]]);
    },
    task,
  );
}

/** As a task says it of itself. */
function created(agoMs: number, more: Act['data'] = {}, ttlMs = 48 * HOUR_MS): Act {
  const at = Date.now() - agoMs;
  const data = { caller: 'p', requester: ADA, deadlineAt: new Date(at + ttlMs).toISOString(), ...more };
  return act('created', 0, { at, data });
}

const tell = (...acts: readonly Act[]): Promise<void> => audit.log.record(batch('t', acts));
const caught = (): readonly (readonly [string, string])[] =>
  mails.caught.map(
    ({ to, headers }) => [to.join(), headers.find((line) => line.startsWith('Subject:')) ?? ''] as const,
  );

describe('whoever has called', () => {
  it('is told of a question that has stood for five minutes, and where to answer it', async () => {
    startMail();
    await tell(created(HOUR_MS), act('asked', 1, { about: 'k1', at: Date.now() - 301_000 }));
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([['ada@example.com', 'Subject: Your answer is waited for: buy']]);
    expect(mails.caught[0]!.body).toContain(`answer there:`);
    expect(mails.caught[0]!.body).toContain(TASK_PAGE);
  });

  it('is told of nothing that was answered in time, and of no end of a task that was over soon', async () => {
    startMail();
    const asked = act('asked', 1, { about: 'k1', at: Date.now() - 301_000 });
    const answered = act('answered', 2, { data: { keys: ['k1'] }, at: Date.now() - 20_000 });
    await tell(created(60_000), asked, answered, act('ended', 3, { about: 'completed' }));
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([]);
  });

  it('is told of no end of a task that was over soon, however long the mail has waited since', async () => {
    const endedAt = Date.now() - HOUR_MS + 60_000;
    await tell(created(HOUR_MS), act('ended', 1, { at: endedAt }));
    await audit.db
      .updateTable('notices')
      .set({ made_at: new Date(endedAt) })
      .execute();
    startMail();
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([]);
  });

  it('is told of a decision, and of the end of a task that took long', async () => {
    startMail();
    const data = { approval: 'a', title: 'Order', result: 'approved' };
    await tell(created(HOUR_MS), act('approval_decided', 1, { about: 'a', data }), act('ended', 2));
    await untilQuiet(audit, 'mail');
    expect(caught().toSorted()).toEqual([
      ['ada@example.com', 'Subject: Decided: Order'],
      ['ada@example.com', 'Subject: Ended: buy'],
    ]);
    for (const { body } of mails.caught) expect(body).toContain(TASK_PAGE);
  });

  it('is looked for among the people of their own organisation, and is nobody where nobody signs in', async () => {
    startMail();
    const ended = (taskId: string, requester: Act['data'][string]): Promise<void> =>
      audit.log.record(batch(taskId, [created(HOUR_MS, { requester }), act('ended', 1)]));
    await ended('t', { subject: 'oda', organisation: 'one' });
    await ended('u', { subject: 'oda' });
    await ended('v', { ...ADA, organisation: 'one' });
    await ended('w', null);
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([['oda@example.com', 'Subject: Ended: buy']]);
  });

  it('is told before their task expires, at the time to which that was moved, and of one that is over nothing', async () => {
    let task: ApprovalCase | undefined = undefined;
    const found = { workflowId: 'mcp-task/p/t', taskId: 't', tool: 'buy', requester: 'p', open: [], decided: [] };
    const front = startMail(() => task);
    task = { ...found, isOver: false, deadlineAt: Date.now() + 10 * HOUR_MS };
    await tell(created(2 * HOUR_MS, {}, 2 * HOUR_MS + 60_000));
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([]);
    const open = audit.db.selectFrom('notices').select('due_at').where('done_at', 'is', null);
    const waiting = await open.where('channel', '=', 'mail').execute();
    // Twelve hours from its beginning on: a twentieth of that is less than an hour.
    const tellAt = task.deadlineAt - 0.05 * (task.deadlineAt - (Date.now() - 2 * HOUR_MS));
    expect(Math.abs((waiting[0]?.due_at.getTime() ?? 0) - tellAt)).toBeLessThan(60_000);

    task = { ...task, deadlineAt: Date.now() + 60_000 };
    await audit.db.updateTable('notices').set({ due_at: new Date(), next_at: new Date() }).execute();
    await untilQuiet(audit, 'mail');
    expect(caught()).toEqual([['ada@example.com', 'Subject: About to expire: buy']]);
    expect(mails.caught[0]!.body).toContain(`Due: ${new Date(task.deadlineAt).toISOString().slice(0, 10)}`);

    task = { ...task, isOver: true };
    await audit.log.record(batch('u', [created(2 * HOUR_MS, {}, 2 * HOUR_MS + 60_000)]));
    await untilQuiet(audit, 'mail');
    expect(caught()).toHaveLength(1);
    expect(front.said).toEqual([]);
  });
});
